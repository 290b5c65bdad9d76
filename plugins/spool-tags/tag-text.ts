/** Text from or for a tag. */

const LONGEST = 64
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
const HEX_COLOR = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i

/** What a tag says as a text: short, on one line, without controls. */
export const tagText = (value: unknown): string => typeof value === 'string'
  ? value.slice(0, LONGEST * 2).replaceAll(UNSEEN, '').trim().slice(0, LONGEST)
  : ''

/** A number within limits; texts are read too, as some formats have numbers as texts. */
export function tagNumber (value: unknown, lowest: number, highest: number): number | undefined {
  const number = typeof value === 'string' && value.length < 20 && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= lowest && number <= highest ? Math.round(number * 1000) / 1000 : undefined
}

/** @param low or `high` alone is both */
export const tagRange = (low: number | undefined, high: number | undefined) => low === undefined
  ? high === undefined ? undefined : [high, high] as const
  : high === undefined ? [low, low] as const : [Math.min(low, high), Math.max(low, high)] as const

/** `#RRGGBB` of `FFAABB`; empty for anything else. */
export const tagColor = (text: unknown): string => {
  const [, rgb] = typeof text === 'string' ? HEX_COLOR.exec(text.trim()) ?? [] : []
  return rgb === undefined ? '' : `#${rgb.toUpperCase()}`
}

/** `#RRGGBB` of the first three bytes. */
export const colorOfBytes = (bytes: Uint8Array): string =>
  bytes.length < 3 ? '' : `#${Buffer.from(bytes.subarray(0, 3)).toString('hex').toUpperCase()}`

export const bytesOfColor = (color: string): Uint8Array => Buffer.from(tagColor(color).slice(1), 'hex')

/** As much of a text as has room in so many bytes, without half a letter at its end. */
export function textWithin (text: string, bytes: number): string {
  let taken = ''
  let used = 0
  for (const letter of tagText(text)) {
    used += Buffer.byteLength(letter)
    if (used > bytes) break
    taken += letter
  }
  return taken.trimEnd()
}
