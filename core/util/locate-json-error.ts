type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'more' | 'end'

/** White space, then a mark, a string, another value, or the end of the text. */
const TOKEN = /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|$)/y // eslint-disable-line no-control-regex

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value is expected; a comma before it may be one too many',
  'first value': "a value or ']' is expected",
  key: 'a key in double quotes is expected; the comma before it may be one too many',
  'first key': "a key in double quotes or '}' is expected",
  colon: "':' is expected",
  more: 'a comma or the closing bracket is expected',
  end: 'nothing more is expected'
}

/** What may follow, by what stands open: innermost last. */
function next (state: State, mark: string, open: string[]): State | undefined {
  const wantsValue = state === 'value' || state === 'first value'
  if (wantsValue && (mark === '{' || mark === '[')) {
    open.push(mark)
    return mark === '{' ? 'first key' : 'first value'
  }
  const closes = mark === (open.at(-1) === '{' ? '}' : ']') && open.length > 0
  if (closes && (state === 'more' || state === 'first key' || state === 'first value')) {
    open.pop()
    return after(open)
  }
  if (wantsValue && (mark === 'text' || mark === 'scalar')) return after(open)
  if ((state === 'key' || state === 'first key') && mark === 'text') return 'colon'
  if (state === 'colon' && mark === ':') return 'value'
  if (state === 'more' && mark === ',') return open.at(-1) === '{' ? 'key' : 'value'
  return undefined
}

const after = (open: readonly string[]): State => open.length === 0 ? 'end' : 'more'

/**
 * Where a text stops being JSON, and what should stand there: `line 3, column 5: ':' is expected`. Nothing of the
 * text itself is repeated, as secrets may stand in it.
 * @returns undefined for valid JSON
 */
export function jsonProblem (text: string): string | undefined {
  const open: string[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) return located(text, at, state)
    const [token, mark, string, scalar] = found
    if (token.trim() === '' && state === 'end') return undefined
    const reached = next(state, mark ?? (string === undefined ? scalar === undefined ? '' : 'scalar' : 'text'), open)
    if (reached === undefined) return located(text, at, state)
    state = reached
    at += token.length
  }
}

function located (text: string, from: number, state: State): string {
  const blank = /[ \t\r\n]*/y
  blank.lastIndex = from
  const before = text.slice(0, from + (blank.exec(text)?.[0].length ?? 0)).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${EXPECTED[state]}`
}
