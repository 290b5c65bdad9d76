import { visit, type JSONVisitor } from 'jsonc-parser'

const EXPECTED = {
  value: 'a value is expected; a comma before it may be one too many',
  'first value': "a value or ']' is expected",
  key: 'a key in double quotes is expected; the comma before it may be one too many',
  'first key': "a key in double quotes or '}' is expected",
  colon: "':' is expected",
  more: 'a comma or the closing bracket is expected',
  end: 'nothing more is expected'
}

/**
 * Where a text stops being JSON, and what is expected there: `line 3, column 5: ':' is expected`. Nothing of the text
 * itself is repeated, as it may contain secrets.
 * @returns undefined for valid JSON
 */
export function jsonProblem (text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return locate(text)
  }
}

/** The parser reports more than the first error, and not what it expected: that follows from the preceding tokens. */
function locate (text: string): string {
  const open: ('{' | '[')[] = []
  let expected: keyof typeof EXPECTED = 'value'
  let first: string | undefined
  const ended = () => { expected = open.length === 0 ? 'end' : 'more' }
  const closed = (_offset: number, length: number) => {
    if (length === 0) return // the end of the text instead of a bracket
    open.pop()
    ended()
  }
  const visitor: JSONVisitor = {
    onObjectBegin () { open.push('{'); expected = 'first key' },
    onArrayBegin () { open.push('['); expected = 'first value' },
    onObjectProperty () { expected = 'colon' },
    onSeparator (mark) { expected = mark === ':' ? 'value' : open.at(-1) === '{' ? 'key' : 'value' },
    onLiteralValue: ended,
    onObjectEnd: closed,
    onArrayEnd: closed,
    onError (_code, _offset, _length, line, column) {
      first ??= `line ${line + 1}, column ${column + 1}: ${EXPECTED[expected]}`
    }
  }
  try {
    visit(text, visitor, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested deeper than the parser's own stack
  }
  return first ?? 'lists and objects lie too deep in each other'
}
