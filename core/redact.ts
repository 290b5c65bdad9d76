/** Keeps secrets out of everything that leaves the process: replies, logs, errors, documents. */
export interface Redactor {
  /** From now on this text is masked wherever it appears. */
  add (secret: string): void
  text (value: string): string
}

export const MASK = '********'
/** Shorter texts are not masked: they would hide half of every message. */
const SHORTEST = 4

/** Fields that carry a secret whatever its value, plain or as JSON inside a JSON text. */
const SECRET_FIELDS = /(\\*"(?:access_?code|dev_access_code|password|token|authorization)\\*"\s*:\s*\\*")[^"\\]+/gi

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

export function createRedactor (): Redactor {
  const secrets = new Set<string>()
  let pattern: RegExp | undefined

  return {
    add (secret) {
      if (secret.length < SHORTEST || secrets.has(secret)) return
      secrets.add(secret)
      const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
      pattern = new RegExp(longestFirst.map(escape).join('|'), 'g')
    },
    text (value) {
      const masked = pattern === undefined ? value : value.replaceAll(pattern, MASK)
      return masked.replaceAll(SECRET_FIELDS, `$1${MASK}`)
    }
  }
}
