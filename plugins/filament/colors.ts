import cssColors from 'color-name'
import { onceUnlessFailed, spoolColors, type Spool } from '../../core/index.js'

/** The more common name where CSS has two for a colour. */
const PREFERRED = new Set(['cyan', 'magenta'])
const isPreferred = (name: string) => PREFERRED.has(name) || name.includes('gray')

type Rgb = readonly [number, number, number]

const digitsOf = (rgb: Rgb) => rgb.map(part => part.toString(16).toUpperCase().padStart(2, '0')).join('')

const byDigits = new Map<string, string>()
for (const [name, rgb] of Object.entries(cssColors)) {
  const digits = digitsOf(rgb as Rgb)
  if (!byDigits.has(digits) || isPreferred(name)) byDigits.set(digits, name)
}

/** The CSS name of exactly this colour, ignoring transparency. @param rgba RRGGBB or RRGGBBAA */
export const exactColorName = (rgba: string): string | undefined => byDigits.get(rgba.slice(0, 6).toUpperCase())

/** A spool's colour as text: its CSS name if there is one, else `#RRGGBBAA`. */
export const colorText = (rgba: string): string => exactColorName(rgba) ?? `#${rgba.toUpperCase()}`

/** The colour of a spool as {@link colorText} formats it; `#00000000` for a clear spool and an unknown colour. */
export function spoolColorText (spool: Spool): string {
  if (spool.type === '') return colorText(spool.rgba)
  const [main = CLEAR] = spoolColors(spool).colors
  return main === CLEAR ? `#${CLEAR}` : colorText(main)
}

const CLEAR = '00000000'

/** Common names for the colours of a spool. */
export async function spoolColorNames (spool: Spool): Promise<{ readonly name: string, readonly words: string }> {
  const { colors, isTranslucent } = spoolColors(spool)
  if (spool.type === '') {
    const name = await nearestColorName(spool.rgba)
    return { name, words: name }
  }
  const names = await Promise.all(colors.map(async color => color === CLEAR ? 'transparent' : await nearestColorName(color)))
  const words = [...new Set(names)].join(', ')
  return {
    name: names[0] ?? 'unknown',
    words: words === '' ? 'unknown colour' : isTranslucent && words !== 'transparent' ? `translucent ${words}` : words
  }
}

/** RRGGBB of a CSS name; undefined for anything else. */
export function digitsOfName (name: string): string | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(cssColors, key) ? digitsOf(cssColors[key as keyof typeof cssColors] as Rgb) : undefined
}

const HEX = /^#?([0-9A-F]{6})([0-9A-F]{2})?$/

/** RRGGBBAA of a CSS name or of hexadecimal digits, with or without `#` and alpha; undefined for anything else. */
export function rgbaOf (text: string): string | undefined {
  const [, rgb, alpha = 'FF'] = HEX.exec(text.trim().toUpperCase()) ?? []
  const digits = rgb ?? digitsOfName(text.trim())
  return digits === undefined ? undefined : digits + alpha
}

/** Some printers report this instead of no colour. */
const NO_COLOR = 'black'
const RGB_DIGITS = /^[0-9A-F]{6}$/

/** Perceptual colour comparison. Colours are given as RRGGBB; a leading `#` and transparency are ignored. */
export interface Palette {
  /** The nearest CSS name. */
  nameOf (color: string): string
  /** CIEDE2000: 1 is just noticeable, 100 black and white. */
  difference (one: string, other: string): number
}

const digitsIn = (color: string): string => color.replace(/^#/, '').slice(0, 6).toUpperCase()

const found = new Map<string, string>()
/** Spools come in some hundred colours; a printer that reports ever new ones must not fill the memory. */
const MOST_REMEMBERED = 4_096

async function createPalette (): Promise<Palette> {
  const { nearest, differenceCiede2000 } = await import('culori')
  const difference = differenceCiede2000()
  const find = nearest([...byDigits.keys()].map(digits => `#${digits}`), difference)
  return {
    difference: (one, other) => difference(`#${digitsIn(one)}`, `#${digitsIn(other)}`),
    nameOf (color) {
      const digits = digitsIn(color)
      const known = byDigits.get(digits) ?? found.get(digits)
      if (known !== undefined) return known
      const name = byDigits.get(find(`#${digits}`, 1)[0]?.slice(1) ?? '') ?? NO_COLOR
      if (found.size < MOST_REMEMBERED) found.set(digits, name)
      return name
    }
  }
}

/** Colour comparison needs a larger library, which is loaded on first use. */
export const loadPalette: () => Promise<Palette> = onceUnlessFailed(createPalette)

/** The CSS name perceptually nearest to a colour, ignoring transparency. */
export async function nearestColorName (rgba: string): Promise<string> {
  const exact = exactColorName(rgba)
  if (exact !== undefined) return exact
  return RGB_DIGITS.test(digitsIn(rgba)) ? (await loadPalette()).nameOf(rgba) : NO_COLOR
}
