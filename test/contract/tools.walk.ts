import { gunzipSync } from 'node:zlib'
import type { ToolAnswer } from '../helpers/boot.js'
import type { Fields } from './fleet.js'
import { flaws, exists, matching } from './rows.js'
import { TOOL_CASES, type ToolCases } from './tools.cases.data.js'
import { TOOLS, type ToolRow } from './tools.data.js'

/** The rows of the parts that exist. */
export const ROWS = TOOLS.filter(exists)

const NO_CASES: ToolCases = { good: [] }
export const casesOf = ({ name }: ToolRow): ToolCases => TOOL_CASES[name] ?? NO_CASES

/** The tool's arguments begin with a name. */
export const takesName = ({ printer = true }: ToolRow): boolean => printer
/** Of a printer that must be there. */
export const takesPrinter = (row: ToolRow): boolean => takesName(row) && row.anyName !== true

export const asks = ({ kind, asks = kind === 'write' || kind === 'destructive' }: ToolRow): boolean => asks

/** All arguments of a call that may go through. */
export const complete = (row: ToolRow, args: Fields, name: string): Fields => ({
  ...(takesName(row) && { name }),
  ...args,
  ...(asks(row) && { user_permission: true })
})

const textIn = ({ data }: Fields): string => gunzipSync(Buffer.from(String(data), 'base64')).toString()

/** The object that an envelope holds; other objects as they are. */
export const unpacked = (value: Fields): Fields =>
  value.compressed === true ? JSON.parse(textIn(value)) as Fields : value

const PICTURE = /"data:image[^"]*"|"picture \d+ of this answer"/g
/** The text names the pictures that the structure holds. */
const withoutPictures = (json: string): string => json.replaceAll(PICTURE, '"picture"')

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What is wrong with the answer of a tool that did what it was asked. */
export function wrongResult ({ result }: ToolRow, { text, value, failed }: ToolAnswer, known: Fields): string[] {
  const failure = failed ? [`it failed: ${text}`] : []
  switch (result.form) {
    case 'text': return [
      ...failure,
      ...(matching(result.template, known).test(value.compressed === true ? textIn(value) : text)
        ? []
        : [`"${text}" instead of "${result.template}"`]),
      ...(value.result === undefined || value.result === text ? [] : ['the structured content says something else'])
    ]
    case 'object': return [
      ...failure,
      ...(withoutPictures(text) === withoutPictures(JSON.stringify(value)) ? [] : ['the structured content says something else']),
      ...flaws(unpacked(value), result.shape)
    ]
    case 'list': return [...failure, ...(Array.isArray(value.result) ? [] : ['no list'])]
  }
}

/** The sentence of a failure, in whatever form it comes; undefined when it has another form. */
export function sentenceOf ({ result, absent }: ToolRow, { text, value, failed }: ToolAnswer): string | undefined {
  if (!failed) return undefined
  if (absent === 'object' && typeof value.error === 'string') return same(JSON.parse(text), value) ? value.error : undefined
  if (result.form === 'text') return same(value, { result: text }) ? text.replace(/^Error: /, '') : undefined
  const [entry] = result.form === 'list' ? value.result as Fields[] : [value]
  return typeof entry?.error === 'string' && same(JSON.parse(text), result.form === 'list' ? value.result : value)
    ? entry.error
    : undefined
}
