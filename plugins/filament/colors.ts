import cssColors from 'color-name'

/** Where CSS has two names for a colour, the one most people use. */
const PREFERRED = new Set(['cyan', 'magenta'])
const isPreferred = (name: string) => PREFERRED.has(name) || name.includes('gray')

type Rgb = readonly [number, number, number]

const digitsOf = (rgb: Rgb) => rgb.map(part => part.toString(16).toUpperCase().padStart(2, '0')).join('')

const byDigits = new Map<string, string>()
for (const [name, rgb] of Object.entries(cssColors)) {
  const digits = digitsOf(rgb as Rgb)
  if (!byDigits.has(digits) || isPreferred(name)) byDigits.set(digits, name)
}

/** The CSS name of exactly this colour, transparency aside. @param rgba RRGGBB or RRGGBBAA */
export const exactColorName = (rgba: string): string | undefined => byDigits.get(rgba.slice(0, 6).toUpperCase())

/** How a spool's colour is written: its CSS name when there is one, else `#RRGGBBAA`. */
export const colorText = (rgba: string): string => exactColorName(rgba) ?? `#${rgba.toUpperCase()}`

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

/** What a printer reports instead of a colour counts as none. */
const NO_COLOR = 'black'
const RGB_DIGITS = /^[0-9A-F]{6}$/

/** Comparing colours takes a larger library, which is loaded when the first colour without a name turns up. */
async function loadNearest (): Promise<(digits: string) => string> {
  const { nearest, differenceCiede2000 } = await import('culori')
  const find = nearest([...byDigits.keys()].map(digits => `#${digits}`), differenceCiede2000())
  return digits => byDigits.get(find(`#${digits}`, 1)[0]?.slice(1) ?? '') ?? NO_COLOR
}

let nearestName: ReturnType<typeof loadNearest> | undefined
const found = new Map<string, string>()
/** Spools come in some hundred colours; a printer that invents more must not fill the memory. */
const MOST_REMEMBERED = 4_096

/** The CSS name nearest to a colour as the eye sees it (CIEDE2000), transparency aside. */
export async function nearestColorName (rgba: string): Promise<string> {
  const digits = rgba.slice(0, 6).toUpperCase()
  const known = byDigits.get(digits) ?? found.get(digits)
  if (known !== undefined) return known
  if (!RGB_DIGITS.test(digits)) return NO_COLOR
  nearestName ??= loadNearest()
  const name = (await nearestName)(digits)
  if (found.size < MOST_REMEMBERED) found.set(digits, name)
  return name
}
