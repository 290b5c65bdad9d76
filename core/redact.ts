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
const SECRET_FIELDS = /(\\*"(?:access_?code|dev_access_code|password|token|authorization)\\*"\s*:\s*)(?:(\\*")[^"\\]+|\d+)/gi

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isDigits = (secret: string) => /^\d+$/.test(secret)
const oneOf = (secrets: readonly string[]) => `(?:${secrets.join('|')})`

/**
 * Any of the secrets. Digits inside a longer number are not the code, and masking them would spoil the number; that is
 * asked once for all codes, which takes a quarter of the time with a hundred of them.
 */
function patternOf (secrets: Iterable<string>): RegExp {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const codes = longestFirst.filter(isDigits)
  const texts = longestFirst.filter(secret => !isDigits(secret)).map(escape)
  return new RegExp([...texts, ...codes.length > 0 ? [`(?<!\\d\\.?)${oneOf(codes)}(?!\\.?\\d)`] : []].join('|'), 'g')
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The text as it stands inside JSON, and inside JSON that is a text in JSON, where that differs. */
const spellings = (secret: string) => [...new Set([secret, inJson(secret), inJson(inJson(secret))])]

const NEAR = 8
const BEFORE_VALUE = /[:[,]\s*$/
const AFTER_VALUE = /^\s*[,\]}]/

/** A bare number in JSON cannot be replaced by asterisks. */
const isBareNumber = (found: string, at: number, whole: string) => /^\d+$/.test(found) &&
  BEFORE_VALUE.test(whole.slice(Math.max(0, at - NEAR), at)) &&
  AFTER_VALUE.test(whole.slice(at + found.length, at + found.length + NEAR))

export function createRedactor (): Redactor {
  const secrets = new Set<string>()
  let pattern: RegExp | undefined

  return {
    add (secret) {
      if (secret.length < SHORTEST || secrets.has(secret)) return
      for (const spelling of spellings(secret)) secrets.add(spelling)
      pattern = patternOf(secrets)
    },
    text (value) {
      const masked = pattern === undefined
        ? value
        : value.replaceAll(pattern, (found, at, whole) => isBareNumber(found, at, whole) ? 'null' : MASK)
      return masked.replaceAll(SECRET_FIELDS, (_, field, quote) => field + (quote === undefined ? 'null' : quote + MASK))
    }
  }
}
