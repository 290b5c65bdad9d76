import { COMMANDS, type CommandRule } from './commands.data.js'
import type { ProblemCode, Variables } from './types.js'

/** A command of a recipe with its figures. */
export interface RecipeCommand {
  readonly name: string
  readonly rule: CommandRule
  /** NaN for an axis of `G28`, which has no number. */
  readonly words: ReadonlyMap<string, number>
}

export type ParsedLine = RecipeCommand | { readonly code: ProblemCode, readonly message: string } | undefined

const MOST_CHARACTERS = 120
const LARGEST = 100_000
/** A comment may hold any text, because it is dropped. */
const COMMENT = ';'
const CODE = /^([GM])(\d{1,4})$/
const WORD = /^([A-Z])(-?\d{1,6}(?:\.\d{1,4})?|-?\.\d{1,4})?$/
const VARIABLE = /\{([^{}]*)\}/g
const SUM = /^([a-z_]{1,20})(?:([+-])(\d{1,4}(?:\.\d{1,3})?))?$/

const problem = (code: ProblemCode, message: string) => ({ code, message })

/** @returns the text with figures, or the variable that there is not */
function withFigures (text: string, variables: Variables): { readonly text: string } | { readonly unknown: string } {
  let unknown: string | undefined
  const filled = text.replaceAll(VARIABLE, (whole, inner: string) => {
    const [, name = '', sign = '+', term = '0'] = SUM.exec(inner) ?? []
    const value = Object.hasOwn(variables, name) ? variables[name as keyof Variables] : NaN
    const sum = value + Number(`${sign}${term}`)
    if (!Number.isFinite(sum)) unknown = whole
    return String(Math.round(sum * 1_000) / 1_000)
  })
  return unknown === undefined ? { text: filled } : { unknown }
}

/** Reads one line of a recipe. @returns the command, a problem, or undefined for a line that says nothing */
export function parseLine (line: string, variables: Variables): ParsedLine {
  const [code = ''] = line.split(COMMENT, 1)
  const plain = code.trim()
  if (plain.length > MOST_CHARACTERS) return problem('too_long', `more than ${MOST_CHARACTERS} characters in one line`)
  if (!/^[ -~\t]*$/.test(code)) return problem('not_text', 'only plain ASCII characters can be sent to a printer')
  if (plain === '') return undefined
  const filled = withFigures(plain, variables)
  if ('unknown' in filled) {
    return problem('unknown_variable', `${filled.unknown} is none of {bed_height_max}, {print_height_mm}, {plate_index}`)
  }
  const [first = '', ...rest] = filled.text.toUpperCase().split(/[ \t]+/)
  const [, letter = '', digits = ''] = CODE.exec(first) ?? []
  const name = `${letter}${Number(digits)}`
  const rule = letter !== '' && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (rule === undefined) return problem('unknown_command', `${first.slice(0, 20)} is no command that a recipe may use`)
  return commandOf(name, rule, rest)
}

function commandOf (name: string, rule: CommandRule, rest: readonly string[]): ParsedLine {
  const words = new Map<string, number>()
  for (const text of rest) {
    const [, letter = '', value] = WORD.exec(text) ?? []
    if (letter === '' || !rule.words.includes(letter)) return problem('unknown_word', `${name} takes no ${text.slice(0, 20)} here`)
    if (words.has(letter)) return problem('word_twice', `${letter} is there twice`)
    const isFlag = rule.does === 'home'
    if (isFlag !== (value === undefined)) {
      return problem('no_number', isFlag ? `${letter} takes no number here` : `${letter} needs a number`)
    }
    const figure = isFlag ? NaN : Number(value)
    if (!isFlag && !(Math.abs(figure) <= LARGEST)) return problem('no_number', `${letter} needs a smaller number`)
    words.set(letter, figure)
  }
  const { needs = '' } = rule
  if (needs !== '' && ![...needs].some(letter => words.has(letter))) {
    return problem('no_number', `${name} needs ${[...needs].join(' or ')}`)
  }
  return { name, rule, words }
}

/** As it is written into a plate: whatever else stood in the line is gone. */
export const textOf = ({ name, words }: RecipeCommand): string =>
  [name, ...[...words].map(([letter, value]) => Number.isNaN(value) ? letter : `${letter}${value}`)].join(' ')
