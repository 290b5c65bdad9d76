import type { Letters } from './types.js'

/** Longer texts are cut before they are measured. */
const MOST_LETTERS = 120
/** Controls, marks of direction, joiners, selectors, halves of pairs: nothing of these is drawn. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]|\p{Variation_Selector}|\p{Emoji_Modifier}/gu

/** Text that can be drawn letter by letter, on one line. */
export function plainText (text: string): string {
  const letters = text.slice(0, MOST_LETTERS * 4).normalize('NFC').replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim()
  return [...letters].slice(0, MOST_LETTERS).join('')
}

/** A line of text in the size in which it fits. */
export interface FittedText {
  readonly lines: readonly string[]
  readonly size: number
}

export interface Room {
  readonly width: number
  /** The size of the letters if there is enough room, and the smallest that can be read, mm. */
  readonly size: number
  readonly smallest: number
  readonly lines?: number
}

/** Shrinks a text, then breaks it into lines, then cuts it with an ellipsis. */
export function fitText (face: Letters, text: string, { width, size, smallest, lines = 1 }: Room): FittedText {
  const natural = face.widthOf(text)
  if (natural * size <= width) return { lines: [text], size }
  const broken = lines > 1 ? breakAt(face, text, width / size) : undefined
  if (broken !== undefined) return { lines: broken, size }
  const shrunk = Math.max(smallest, Math.min(size, width / natural))
  if (natural * shrunk <= width * 1.0001) return { lines: [text], size: shrunk }
  const atSmallest = lines > 1 ? breakAt(face, text, width / smallest) : undefined
  if (atSmallest !== undefined) return { lines: atSmallest, size: smallest }
  if (lines === 1) return { lines: [cut(face, text, width / smallest)], size: smallest }
  const first = startOf(face, text, width / smallest)
  return { lines: [first, cut(face, text.slice(first.length).trim(), width / smallest)], size: smallest }
}

/** @param width in sizes of the letters @returns two lines; undefined when the text is too long for them */
function breakAt (face: Letters, text: string, width: number): string[] | undefined {
  const first = startOf(face, text, width)
  const rest = text.slice(first.length).trim()
  return first !== '' && face.widthOf(rest) <= width ? [first, rest] : undefined
}

/** As much of the beginning as fits, up to the end of a word where one ends. */
function startOf (face: Letters, text: string, width: number): string {
  const fitting = prefix(face, text, width)
  const end = text.charAt(fitting.length) === ' ' ? fitting.length : fitting.lastIndexOf(' ')
  return end > 0 ? fitting.slice(0, end) : fitting
}

const cut = (face: Letters, text: string, width: number): string => face.widthOf(text) <= width
  ? text
  : `${prefix(face, text, width - face.widthOf('…')).trimEnd()}…`

function prefix (face: Letters, text: string, width: number): string {
  let taken = ''
  let used = 0
  for (const letter of text) {
    used += face.widthOf(letter)
    if (used > width) break
    taken += letter
  }
  return taken
}
