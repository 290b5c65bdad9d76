import { BadInput } from '../errors.js'

/** Reduces an answer to the part of its list that fits, with `next_cursor` where the rest begins. */
export type Pager = (answer: object, cursor: string | undefined, mostChars: number) => object

const CURSOR = /^\d{1,6}$/
type Fields = Readonly<Record<string, unknown>>

/** @throws PRN_ERR_BAD_INPUT */
export const unknownCursor = (cursor: string): InstanceType<typeof BadInput> =>
  new BadInput(`Unknown cursor '${cursor}': take the next_cursor of the page before`)

function startOf (cursor: string | undefined, total: number): number {
  if (cursor === undefined) return 0
  const from = CURSOR.test(cursor) ? Number(cursor) : total
  if (from > 0 && from >= total) throw unknownCursor(cursor)
  return from
}

/** How many entries fit, from an index on; at least one, so that there is progress. */
function countFitting (entries: readonly unknown[], from: number, room: number): number {
  let left = room
  let end = from
  while (end < entries.length) {
    left -= JSON.stringify(entries[end]).length + 1
    if (left < 0 && end > from) break
    end++
  }
  return end - from
}

const frameLength = (answer: Fields, lists: readonly string[], total: number): number =>
  JSON.stringify({ ...answer, ...Object.fromEntries(lists.map(name => [name, []])), next_cursor: String(total) }).length

/**
 * Pages over one list of an answer, or over several in sequence: a page may end in the middle of the second.
 * @param lists the members of the answer that are lists
 */
export const pagesOf = (...lists: readonly string[]): Pager => (answer, cursor, mostChars) => {
  const fields = answer as Fields
  const parts = lists.filter(name => Array.isArray(fields[name]))
    .map(name => ({ name, all: fields[name] as unknown[] }))
  if (parts.length === 0) return answer
  const entries = parts.flatMap(({ all }) => all)
  const from = startOf(cursor, entries.length)
  const end = from + countFitting(entries, from, mostChars - frameLength(fields, lists, entries.length))
  let before = 0
  const shown = parts.map(({ name, all }) => {
    const slice = all.slice(Math.max(0, from - before), Math.max(0, end - before))
    before += all.length
    return [name, slice]
  })
  const page = { ...fields, ...Object.fromEntries(shown) as Fields }
  return end < entries.length ? { ...page, next_cursor: String(end) } : page
}

/** The same for a list whose `count` is the number of shown entries; `total` is the number of all. */
export const countedPagesOf = (list: string, count: string): Pager => (answer, cursor, mostChars) => {
  const page = pagesOf(list)(answer, cursor, mostChars) as Fields
  const [shown, all] = [page, answer as Fields].map(fields => (fields[list] as unknown[]).length)
  return shown === all ? answer : { [count]: 0, total: all, ...page, ...{ [count]: shown } }
}

/** Pages from the end, for lists whose newest entry is the last one. */
export const newestPagesOf = (list: string, count: string): Pager => (answer, cursor, mostChars) => {
  const fields = answer as Fields
  const all = fields[list] as unknown[]
  const reversed = pagesOf(list)({ ...fields, [list]: [...all].reverse() }, cursor, mostChars) as Fields
  const shown = [...reversed[list] as unknown[]].reverse()
  return { ...reversed, [list]: shown, [count]: shown.length }
}
