import { Type, type Static, type TSchema } from 'typebox'
import { defineError, timeoutSignal, validationError } from '../../../core/index.js'
import type { Catalogue } from './catalogue-store.js'

export const NoCatalogue = defineError<[reason: string]>(
  'PRN_ERR_NO_CATALOGUE', 'The fault texts could not be fetched: %s', 502)

const Entries = Type.Array(Type.Object({ ecode: Type.String(), intro: Type.String() }))
const ByLanguage = Type.Record(Type.String(), Type.Unknown())
const Texts = Type.Object({
  data: Type.Object({ device_hms: Type.Optional(ByLanguage), device_error: Type.Optional(ByLanguage) })
})
const Actions = Type.Object({
  data: Type.Array(Type.Object({ ecode: Type.String(), device: Type.String(), actions: Type.Array(Type.Integer()) }))
})

const MOST_BYTES = 16 * 1024 * 1024
const MOST_ENTRIES = 50_000
const LONGEST_TEXT = 1_000
const WITHIN_MS = 30_000

export interface FetchOptions {
  /** Base URL of the vendor's service. */
  readonly url: string
  readonly language: string
  /** First three characters of the printers' serial numbers. */
  readonly prefixes: readonly string[]
  readonly signal: AbortSignal
  readonly now: () => number
  readonly onStep?: (message: string) => void
  /** Limit per file. @default 16 MiB */
  readonly mostBytes?: number
  /** Time limit per file. @default 30 s */
  readonly withinMs?: number
}

async function readLimited (body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw new Error(`the answer is larger than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The reason of a failed fetch is in its cause. */
function wordsOf (error: unknown): string {
  const { message, cause, name } = error as Error & { cause?: { code?: string, message?: string } }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause === undefined ? message : `${message} (${cause.code ?? cause.message})`
}

async function getJson<S extends TSchema> (path: string, schema: S, options: FetchOptions): Promise<Static<S>> {
  const { url, signal, mostBytes = MOST_BYTES, withinMs = WITHIN_MS } = options
  const address = new URL(path, url)
  try {
    const reply = await fetch(address, {
      signal: AbortSignal.any([signal, timeoutSignal(withinMs)]),
      redirect: 'error',
      headers: { accept: 'application/json' }
    })
    if (!reply.ok || reply.body === null) throw new Error(`status ${reply.status}`)
    const value: unknown = JSON.parse(await readLimited(reply.body, mostBytes))
    const problem = validationError(schema, value)
    if (problem !== undefined) throw new Error(`its format is not as expected: ${problem}`)
    return value as Static<S>
  } catch (error) {
    throw new NoCatalogue(`${address.origin}: ${wordsOf(error)}`)
  }
}

const CODE = { device_hms: /^[0-9A-F]{16}$/, device_error: /^[0-9A-F]{8}$/ } as const

/** Reduces untrusted text to one line without control characters. */
// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/[\u0000-\u001F\u007F]+/g, ' ').trim().slice(0, LONGEST_TEXT)

function textsOf (file: Static<typeof Texts>, kind: keyof typeof CODE, language: string): [string, string][] {
  const list = file.data[kind]?.[language]
  if (list === undefined) return []
  const problem = validationError(Entries, list)
  if (problem !== undefined) throw new NoCatalogue(`its ${kind} texts have another form than expected: ${problem}`)
  return (list as Static<typeof Entries>)
    .map(({ ecode, intro }): [string, string] => [ecode.toUpperCase(), plain(intro)])
    .filter(([digits]) => CODE[kind].test(digits))
}

function actionsOf ({ data }: Static<typeof Actions>): Catalogue['actions'] {
  const byPrefix: Record<string, Record<string, number[]>> = {}
  for (const { ecode, device, actions } of data.slice(0, MOST_ENTRIES)) {
    const digits = ecode.toUpperCase()
    if (!CODE.device_error.test(digits) || !/^[0-9A-Z]{3}$/.test(device)) continue
    (byPrefix[device] ??= {})[digits] = actions
  }
  return byPrefix
}

/**
 * Fetches the vendor's texts and buttons, within limits of size and time. If models have different texts for a code,
 * the first prefix wins.
 * @throws PRN_ERR_NO_CATALOGUE
 */
export async function fetchCatalogue (options: FetchOptions): Promise<Catalogue> {
  const { language, prefixes, onStep = () => {}, now } = options
  const texts = new Map<string, string>()
  for (const prefix of prefixes) {
    onStep(`Texts for ${prefix}`)
    const file = await getJson(`/query.php?lang=${encodeURIComponent(language)}&d=${encodeURIComponent(prefix)}`, Texts, options)
    const found = [...textsOf(file, 'device_hms', language), ...textsOf(file, 'device_error', language)]
    for (const [digits, text] of found) if (!texts.has(digits) && texts.size < MOST_ENTRIES) texts.set(digits, text)
  }
  if (texts.size === 0) throw new NoCatalogue(`it has no texts in the language '${language}'`)
  onStep('Buttons')
  const actions = actionsOf(await getJson('/hms/GetActionImage.php', Actions, options))
  return { version: 1, fetchedAt: now(), language, texts: Object.fromEntries(texts), actions }
}
