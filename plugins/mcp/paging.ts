import { BadInput } from '../../core/index.js'

const CURSOR = /^\d{1,6}$/

/**
 * As much of a list in an answer as fits, and where the rest begins.
 * @param member which of the answer's members the list is
 * @param cursor `next_cursor` of the part before
 * @param mostChars of the answer as JSON; the first entry comes in any case
 * @throws PRN_ERR_BAD_INPUT
 */
export function pageOf (value: object, member: string, cursor: string | undefined, mostChars: number): object {
  const { [member]: all, ...others } = value as Record<string, unknown>
  if (!Array.isArray(all)) return value
  const from = cursor === undefined ? 0 : CURSOR.test(cursor) ? Number(cursor) : all.length
  if (from > 0 && from >= all.length) throw new BadInput(`Unknown cursor '${cursor}': take the next_cursor of the part before`)
  let left = mostChars - JSON.stringify({ ...others, [member]: [], next_cursor: String(all.length) }).length
  let end = from
  while (end < all.length && (end === from || left >= JSON.stringify(all[end]).length + 1)) {
    left -= JSON.stringify(all[end]).length + 1
    end++
  }
  const page = { [member]: all.slice(from, end), ...others }
  return end < all.length ? { ...page, next_cursor: String(end) } : page
}
