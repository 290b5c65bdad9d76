import { readFile } from 'node:fs/promises'
import type { Font, FontCollection, PathCommand } from 'fontkit'
import { onceUnlessFailed } from '../../core/index.js'
import type { Letters } from './types.js'

/** A letter as an outline: printed alike everywhere, whatever fonts a viewer or printer has. */
interface Glyph {
  /** How far the next one is, in sizes of the font. */
  readonly advance: number
  readonly commands: readonly PathCommand[]
  readonly unitsPerEm: number
}

const LETTERS: Readonly<Record<PathCommand['command'], string>> = {
  moveTo: 'M', lineTo: 'L', quadraticCurveTo: 'Q', bezierCurveTo: 'C', closePath: 'Z'
}

/** Scripts whose letters stand side by side from left to right; others need shaping, which is not done here. */
const SIMPLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}]$/u

/** An empty box, for a letter that no font has. */
const BOX: Glyph = {
  advance: 0.7,
  unitsPerEm: 1,
  commands: [
    { command: 'moveTo', args: [0.08, 0] }, { command: 'lineTo', args: [0.62, 0] },
    { command: 'lineTo', args: [0.62, 0.72] }, { command: 'lineTo', args: [0.08, 0.72] },
    { command: 'closePath', args: [] },
    { command: 'moveTo', args: [0.14, 0.06] }, { command: 'lineTo', args: [0.14, 0.66] },
    { command: 'lineTo', args: [0.56, 0.66] }, { command: 'lineTo', args: [0.56, 0.06] },
    { command: 'closePath', args: [] }
  ]
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Letters of one or more fonts: of each letter, those of the first font that has it. */
export class Typeface implements Letters {
  readonly #first: Font
  readonly #others: () => Promise<readonly Font[]>
  #loaded: readonly Font[]
  readonly #glyphs = new Map<number, Glyph>()

  /** @param others read when a letter is needed that the first font lacks */
  constructor (first: Font, others: () => Promise<readonly Font[]>) {
    this.#first = first
    this.#others = others
    this.#loaded = [first]
  }

  async prepare (texts: Iterable<string>): Promise<string[]> {
    const lacking = new Set<string>()
    for (const text of texts) {
      for (const letter of text) if (!this.#first.hasGlyphForCodePoint(codeOf(letter))) lacking.add(letter)
    }
    if (lacking.size > 0) await this.#load()
    return [...lacking].filter(letter => !this.#isKnown(letter))
  }

  widthOf (text: string): number {
    let width = 0
    for (const letter of text) width += this.#glyphOf(letter).advance
    return width
  }

  outline (text: string, x: number, y: number, size: number): string {
    const parts: string[] = []
    let left = x
    for (const letter of text) {
      const { advance, commands, unitsPerEm } = this.#glyphOf(letter)
      const scale = size / unitsPerEm
      for (const { command, args } of commands) {
        parts.push(LETTERS[command] + args.map((value, at) =>
          rounded(at % 2 === 0 ? left + value * scale : y - value * scale)).join(' '))
      }
      left += advance * size
    }
    return parts.join('')
  }

  readonly #load = onceUnlessFailed(async () => {
    this.#loaded = [this.#first, ...await this.#others()]
  })

  #isKnown (letter: string): boolean {
    return this.#glyphOf(letter) !== BOX
  }

  #glyphOf (letter: string): Glyph {
    const code = codeOf(letter)
    const known = this.#glyphs.get(code)
    if (known !== undefined) return known
    const glyph = this.#find(letter, code)
    this.#glyphs.set(code, glyph)
    return glyph
  }

  #find (letter: string, code: number): Glyph {
    if (!SIMPLE.test(letter)) return BOX
    const font = this.#loaded.find(one => one.hasGlyphForCodePoint(code))
    if (font === undefined) return BOX
    const { advanceWidth, path } = font.glyphForCodePoint(code)
    const { unitsPerEm } = font
    return { advance: advanceWidth / unitsPerEm, commands: path.commands, unitsPerEm }
  }
}

const codeOf = (letter: string): number => letter.codePointAt(0) ?? 0

const isCollection = (opened: Font | FontCollection): opened is FontCollection => opened.type === 'TTC' || opened.type === 'DFont'

/** @returns undefined when there is no font file of a known format */
export async function openFont (path: string): Promise<Font | undefined> {
  const { create } = await import('fontkit') // on first use, as most services print no labels
  try {
    const opened = create(await readFile(path))
    return isCollection(opened) ? opened.fonts[0] : opened
  } catch {
    return undefined
  }
}
