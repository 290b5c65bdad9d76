/** Masks secrets in everything that leaves the process: replies, logs, errors, documents. */
export interface Redactor {
  /** Masks this text from now on. */
  add (secret: string): void
  text (value: string): string
}

export const MASK = '********'
/** Shorter texts are not masked: they would hide half of every message. */
const SHORTEST = 4
/** Nor are shorter words: asterisks for every 'true' or 'admin' would break answers and tell the password. */
const SHORTEST_WORD = 8

/** Fields that always contain a secret, up to their value; in plain JSON or in JSON inside a JSON text. */
const SECRET_FIELD = new RegExp('"(?:(?:dev_)?access_?code|passw(?:or)?d|authorization|(?:access|auth|refresh|security)[_-]?token|' +
  String.raw`token|ttcode|auth_?key|signature)\\*"\s*:\s*(?:(\\*)"|-?\d[\d.eE+-]*)`, 'gi')

/** URL parameters that contain one, as in signed links to cloud storage and of cameras. */
const SECRET_PARAMETER = new RegExp(String.raw`((?:[?&;]|%3F|%26|\\u0026)(?:(?:x-(?:amz|oss|goog)-)?(?:signature|credential|security-token)|` +
  'sig|(?:oss|aws)?accesskeyid|googleaccessid|key-pair-id|policy|(?:access|auth|refresh|security)[_-]?token|token|ttcode|auth_?key|' +
  String.raw`passw(?:or)?d|access_?code)(?:=|%3D))(?:(?!%26)[^\s&"'\\<>#;])+`, 'gi')

/** A password before the host of a URL. */
const SECRET_LOGIN = /(:\/\/[^\s/:@"'\\<>]*:)(?!\*+@)[^\s/@"'\\<>]+@/g

/**
 * The end of a JSON text whose opening quote is preceded by so many backslashes: a quote of the same depth, or of a
 * lower depth if it was cut short.
 */
function endOfText (whole: string, from: number, backslashes: number): number {
  const period = 2 * (backslashes + 1)
  for (let quote = whole.indexOf('"', from); quote >= 0; quote = whole.indexOf('"', quote + 1)) {
    let start = quote
    while (start > from && whole[start - 1] === '\\') start--
    const rest = (quote - start) % period
    if (rest <= backslashes) return quote - rest
  }
  return whole.length
}

/** A bare number cannot be replaced by asterisks in JSON. */
function maskFields (whole: string): string {
  let safe = ''
  let done = 0
  SECRET_FIELD.lastIndex = 0
  for (let found = SECRET_FIELD.exec(whole); found; found = SECRET_FIELD.exec(whole)) {
    const end = found.index + found[0].length
    const backslashes = found[1]?.length
    if (backslashes === undefined) {
      safe += `${whole.slice(done, end).replace(/-?\d[\d.eE+-]*$/, '')}null`
      done = end
    } else {
      const close = endOfText(whole, end, backslashes)
      safe += whole.slice(done, end) + (close > end ? MASK : '')
      done = SECRET_FIELD.lastIndex = close
    }
  }
  return done === 0 ? whole : safe + whole.slice(done)
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isWord = (text: string) => /^[A-Za-z_]+$/.test(text)
const isDigits = (secret: string) => /^\d+$/.test(secret)
const oneOf = (secrets: readonly string[]) => `(?:${secrets.join('|')})`

/**
 * Matches any of the secrets. Digits inside a longer number are not a code, and masking them would corrupt the number.
 * That condition is shared by all codes, which takes a quarter of the time with a hundred of them.
 */
function patternOf (secrets: Iterable<string>): RegExp {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const codes = longestFirst.filter(isDigits)
  const texts = longestFirst.filter(secret => !isDigits(secret)).map(escape)
  return new RegExp([...texts, ...codes.length > 0 ? [`(?<!\\d\\.?)${oneOf(codes)}(?!\\.?\\d)`] : []].join('|'), 'g')
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The text as written, inside JSON, and inside JSON in a JSON text, without duplicates. */
const spellings = (secret: string) => [...new Set([secret, inJson(secret), inJson(inJson(secret))])]

const NEAR = 8
const BEFORE_VALUE = /[:[,]\s*$/
const AFTER_VALUE = /^\s*[,\]}]/

/** A bare number in JSON cannot be replaced by asterisks. */
const isBareNumber = (found: string, at: number, whole: string) => /^\d+$/.test(found) &&
  BEFORE_VALUE.test(whole.slice(Math.max(0, at - NEAR), at)) &&
  AFTER_VALUE.test(whole.slice(at + found.length, at + found.length + NEAR))

const LONGEST_KEY = 80
const INSIDE_KEY = /(?:[{,]|\\n)\s*\\*"[^"\\]{0,64}$/
const REST_OF_KEY = /^[^"\\]{0,64}\\*"\s*:/

/** A member that is called like a password is not one. */
const isInKey = (found: string, at: number, whole: string) => isWord(found) &&
  REST_OF_KEY.test(whole.slice(at + found.length, at + found.length + LONGEST_KEY)) &&
  INSIDE_KEY.test(whole.slice(Math.max(0, at - LONGEST_KEY), at))

function masked (found: string, at: number, whole: string): string {
  if (isInKey(found, at, whole)) return found
  return isBareNumber(found, at, whole) ? 'null' : MASK
}

export function createRedactor (): Redactor {
  const secrets = new Set<string>()
  let pattern: RegExp | undefined

  return {
    add (secret) {
      if (secret.length < (isWord(secret) ? SHORTEST_WORD : SHORTEST) || secrets.has(secret)) return
      for (const spelling of spellings(secret)) secrets.add(spelling)
      pattern = patternOf(secrets)
    },
    text (value) {
      const safe = pattern === undefined ? value : value.replaceAll(pattern, masked)
      return maskFields(safe).replaceAll(SECRET_PARAMETER, `$1${MASK}`).replaceAll(SECRET_LOGIN, `$1${MASK}@`)
    }
  }
}
