/** One line of G-code, parsed as every firmware does. */
export interface GcodeLine {
  /** The command, such as `M104`, without leading zeros. */
  readonly word: string
  /** Values by letter; undefined for a letter without a number. */
  readonly values: ReadonlyMap<string, number | undefined>
}

/** Commands that set a temperature, with their permitted letters. */
const HEATING: Readonly<Record<string, string>> =
  { M104: 'STIBFA', M109: 'SRTIBFA', M140: 'SI', M190: 'SRI', M141: 'S', M191: 'SR' }

/**
 * Commands that neither heat nor change heating. Commands that are not listed are refused: M303 heats by itself, M301
 * and M304 change the control loop, M306 and M502 its limits, and future firmware may add others.
 */
const HARMLESS = new Set([
  'G0', 'G1', 'G2', 'G3', 'G4', 'G17', 'G21', 'G28', 'G29', 'G29.1', 'G29.2', 'G90', 'G91', 'G92', 'G380',
  'M17', 'M18', 'M73', 'M73.2', 'M82', 'M83', 'M84', 'M105', 'M106', 'M107', 'M112', 'M114', 'M115', 'M119',
  'M201', 'M201.2', 'M203', 'M204', 'M204.2', 'M205', 'M211', 'M220', 'M221', 'M355', 'M400', 'M410', 'M900',
  'M960', 'M970', 'M970.3', 'M971', 'M974', 'M975', 'M981', 'M982', 'M982.2'
])

/** Takes words, and no temperatures. */
const WORDS = 'M1002'
const SAFE_WORDS = /^[\w :.,-]*$/
const OTHER_COMMAND = /\b[GMT]\s*\d/i

const COMMAND = /^(?:N\d+\s*)?([GM])\s*0*(\d{1,4}(?:\.\d)?)(?!\d)(.*?)(?:\*\d+)?$/i
const VALUE = /\s*([A-Z])\s*([-+]?(?:\d+\.?\d*|\.\d+))?/yi

/** The letters and numbers after a command; undefined if there is anything else, or a letter occurs twice. */
function valuesIn (text: string): Map<string, number | undefined> | undefined {
  const values = new Map<string, number | undefined>()
  let at = 0
  while (text.slice(at).trim() !== '') {
    VALUE.lastIndex = at
    const [whole, letter = '', number] = VALUE.exec(text) ?? []
    const key = letter.toUpperCase()
    if (whole === undefined || values.has(key) || 'GM'.includes(key)) return undefined
    values.set(key, number === undefined ? undefined : Number(number))
    at = VALUE.lastIndex
  }
  return values
}

function readLine (line: string): GcodeLine | undefined {
  const [, letter = '', number = '', rest = ''] = COMMAND.exec(line) ?? []
  const word = `${letter.toUpperCase()}${number}`
  if (word === WORDS) {
    return SAFE_WORDS.test(rest) && !OTHER_COMMAND.test(rest) ? { word, values: new Map() } : undefined
  }
  const values = valuesIn(rest)
  if (values === undefined) return undefined
  const letters = HEATING[word]
  if (letters === undefined) return HARMLESS.has(word) ? { word, values } : undefined
  return [...values.keys()].every(key => letters.includes(key)) ? { word, values } : undefined
}

/** @returns the lines up to the first whose effect is unknown, and the text of that one */
export function readGcode (text: string): { readonly lines: readonly GcodeLine[], readonly unknown?: string } {
  const lines: GcodeLine[] = []
  for (const raw of text.split(/[\r\n|]+/)) {
    const line = raw.replace(/;.*/, '').trim()
    if (line === '') continue
    const read = readLine(line)
    if (read === undefined) return { lines, unknown: line }
    lines.push(read)
  }
  return { lines }
}

export const isFan = ({ word }: GcodeLine): boolean => word === 'M106' || word === 'M107'
export const isHeat = ({ word }: GcodeLine): boolean => Object.hasOwn(HEATING, word)
/** Does not wait for the temperature, so slicers also send it while printing. */
export const setsTarget = ({ word }: GcodeLine): boolean => ['M104', 'M140', 'M141'].includes(word)
