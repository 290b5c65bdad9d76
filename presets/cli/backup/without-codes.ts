const SECRET = /^(access_?code|token|password|secret|api_?key)$/i
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i

function withoutPassword (text: string): string {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.password === '') return text
  url.password = ''
  return url.href
}

/** A configuration without what must not be passed on: codes, tokens, and passwords, in addresses too. */
export function withoutCodes (value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SECRET.test(key) ? undefined : withoutPassword(value)
  if (Array.isArray(value)) return value.map(one => withoutCodes(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutCodes(inner, name)])
    .filter(([, inner]) => inner !== undefined))
}
