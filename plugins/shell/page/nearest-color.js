// The name of the colour that people would call another one. Pure.

/** Colours with a name, `color.KEY` in the texts. */
const NAMED = {
  white: ['ffffff', 'f4f4f4'],
  ivory: ['f7efdc', 'cbc6b8'],
  beige: ['f7e6de', 'e8dbb7', 'd3b7a7'],
  light_grey: ['e0e0e0', 'd1d3d5', 'c0c2c4'],
  grey: ['9b9ea0', '8e9089', '757575', '686868'],
  dark_grey: ['545454', '3a3a3c'],
  black: ['000000', '1c1c1e'],
  blue_grey: ['5b6579', '7c8b9c'],
  red: ['c12e1f', 'de4343', 'ff0000'],
  dark_red: ['9d2235', '6e1119'],
  pink: ['f55a74', 'ff8fb1', 'f7b2c9'],
  magenta: ['ec008c', 'c0267e', 'ff00ff'],
  plum: ['950051', '6d1f52'],
  orange: ['ff6a13', 'ff9016', 'ffa500'],
  apricot: ['f99963', 'ffc9a0'],
  yellow: ['f4ee2a', 'fec600', 'f7d959', 'ffff00'],
  light_yellow: ['f7f0a0', 'f5e58c'],
  gold: ['e4bd68', 'c99a2c'],
  brown: ['6f5034', '7d6556', '9d432c', '8a4b2a'],
  dark_brown: ['4d3324', '3a241a'],
  light_brown: ['ae835b', 'c09a72'],
  terracotta: ['b15533', 'c1603a'],
  olive: ['847d48', '68724d'],
  lime: ['becf00', 'c2e189', '9be22d'],
  light_green: ['98e0a0', 'b5e8b8', '98ff98'],
  green: ['00ae42', '3f8e43', '61c680', '00ff00'],
  dark_green: ['1d5a34', '0f3d26'],
  turquoise: ['00b1b7', '4fd6c8', '00ffff'],
  petrol: ['0f6470', '08484f'],
  light_blue: ['a3d8e1', '8ec6ee', '56b7e6'],
  blue: ['0086d6', '0056b8', '2563eb', '0000ff'],
  dark_blue: ['0a2989', '042f56', '1b2450'],
  lilac: ['ae96d4', 'd0c0ea'],
  purple: ['5e43b7', '8a3ab9', '7b2d8b'],
  dark_purple: ['482960', '33194a']
}

const HEX = /^#?([\da-f]{6})([\da-f]{2})?$/i
/**
 * Words that the service has for exact colours, with the keys of their names.
 * @type {Readonly<Record<string, string>>}
 */
const WORDS = {
  ...Object.fromEntries(Object.keys(NAMED).map(key => [key.replace('_', ''), key])),
  gray: 'grey',
  lightgray: 'light_grey',
  dimgray: 'dark_grey',
  silver: 'light_grey',
  navy: 'dark_blue',
  maroon: 'dark_red',
  teal: 'petrol',
  aqua: 'turquoise',
  cyan: 'turquoise',
  fuchsia: 'magenta'
}

const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

/** Lightness and two axes of hue in OKLab, where distances are as large as they look. @param {string} hex `rrggbb` */
function oklabOf (hex) {
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(at => linear(parseInt(hex.slice(at, at + 2), 16) / 255))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  ]
}

const SAMPLES = Object.entries(NAMED).flatMap(([key, all]) => all.map(hex => ({ key, lab: oklabOf(hex) })))

/** Keys of all colours that have a name. */
export const COLOR_KEYS = Object.keys(NAMED)

/**
 * The named colour that looks most like another one.
 * @param {string | undefined} text `#rrggbb`, also with a transparency, or a word such as `black`
 * @returns {string} its key; `clear` for what is fully transparent, empty for anything else
 */
export function nearestColor (text) {
  const [, hex, alpha] = HEX.exec(text ?? '') ?? []
  const word = text?.toLowerCase() ?? ''
  if (hex === undefined) return Object.hasOwn(WORDS, word) ? WORDS[word] : ''
  if (alpha === '00') return 'clear'
  const lab = oklabOf(hex)
  const distance = other => Math.hypot(...lab.map((value, at) => value - other[at]))
  return SAMPLES.reduce((best, one) => distance(one.lab) < distance(best.lab) ? one : best).key
}
