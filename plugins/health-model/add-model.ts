import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeoutSignal } from '../../core/index.js'
import { describeModel, type ModelOverrides } from './describe-model.js'
import { statedIn } from './stated.js'
import { licenceIn, onnxFacts } from './onnx-file.js'
import type { InferenceClient } from './runtime/client.js'
import { checksumOf, storeModel } from './store.js'
import { BUILT_IN, type Model } from './types.js'

const MOST_BYTES = 500_000_000
const FETCH_MS = 600_000
const MOST_HOPS = 5
const isAddress = (source: string): boolean => /^https?:/i.test(source)

const tooLarge = () => new Error(`The file is larger than ${MOST_BYTES / 1e6} MB`)

const isHere = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** The target of a redirect, if any. @throws unless it uses https and does not lead from outside to this machine */
function nextHop (response: Response, from: URL): URL | undefined {
  const place = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
  if (place === null) return undefined
  if (!URL.canParse(place, from.href)) throw new Error(`${from.host} redirects to an invalid address`)
  const next = new URL(place, from)
  const isFit = isHere(from) ? isHere(next) || next.protocol === 'https:' : next.protocol === 'https:' && !isHere(next)
  if (!isFit) throw new Error(`${from.host} redirects to ${next.origin}, and a network is fetched over https only`)
  return next
}

/** Follows redirects itself, because every hop must be checked and not only the last. */
async function follow (first: URL, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let hops = 0; hops <= MOST_HOPS; hops++) {
    const response = await fetch(url, { redirect: 'manual', signal })
    const next = nextHop(response, url)
    if (next === undefined) return response
    await response.body?.cancel()
    url = next
  }
  throw new Error(`${first.host} redirects more than ${MOST_HOPS} times`)
}

async function download (address: string, signal: AbortSignal,
  onBytes: (bytes: number) => void = () => {}): Promise<Uint8Array> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !isHere(url)) throw new Error('A network is fetched over https only')
  const response = await follow(url, AbortSignal.any([signal, timeoutSignal(FETCH_MS)]))
  if (!response.ok || response.body === null) throw new Error(`${url.host} answers ${response.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > MOST_BYTES) throw tooLarge()
    parts.push(part)
    onBytes(size)
  }
  return Buffer.concat(parts)
}

/** Reads a network, or its prototypes, from a file or an address that the user has given. */
async function fetchFile (source: string, signal: AbortSignal,
  onBytes?: (bytes: number) => void): Promise<Uint8Array> {
  if (isAddress(source)) return await download(source, signal, onBytes)
  const about = await stat(source).catch(() => { throw new Error(`There is no file ${source} that the service may read`) })
  if (!about.isFile()) throw new Error(`${source} is not a file`) // a device may have no end
  if (about.size > MOST_BYTES) throw tooLarge()
  return await readFile(source)
}

/** The source as stored: an address without credentials and query, which may be secret. */
function sourceText (source: string): string {
  if (!isAddress(source)) return source
  const { origin, pathname } = new URL(source)
  return origin + pathname
}

export interface Addition {
  readonly folder: string
  readonly client: Pick<InferenceClient, 'inspect' | 'infer'>
  readonly source: string
  readonly overrides: Omit<ModelOverrides, 'prototypes'> & { readonly prototypesFrom?: string }
  readonly signal: AbortSignal
  /** Checksum (SHA-256) that the file must have, as its publisher states it. */
  readonly expected?: string
  /** Called with the number of bytes that were fetched so far. */
  readonly onBytes?: (bytes: number) => void
  /** Called when the file is there, before it is tried. */
  readonly onFetched?: () => void
}

/** Fetches, opens and tries a network, and stores it with its checksum. @throws Error with what is wrong with it */
export async function addModel (addition: Addition): Promise<Model> {
  const { folder, client, source, overrides, signal, expected, onBytes, onFetched } = addition
  const { prototypesFrom, ...given } = overrides
  const bytes = await fetchFile(source, signal, onBytes)
  onFetched?.()
  const sha256 = checksumOf(bytes)
  if (expected !== undefined && sha256 !== expected) {
    throw new Error(`The file at ${sourceText(source)} is not the published one: its checksum is ${sha256}, not ${expected}`)
  }
  const about = onnxFacts(bytes)
  const prototypes = prototypesFrom === undefined
    ? undefined
    : Buffer.from(await fetchFile(prototypesFrom, signal)).toString('utf8')
  const room = await mkdtemp(join(tmpdir(), 'prnd-model-'))
  try {
    const file = join(room, 'model.onnx')
    await writeFile(file, bytes)
    const facts = {
      sha256,
      bytes: bytes.length,
      source: sourceText(source),
      addedAt: new Date().toISOString(),
      licence: licenceIn(about),
      metadata: about.metadata
    }
    const size = given.size ?? statedIn(about.metadata).size
    const model = describeModel(source, facts, await client.inspect(file, signal, size),
      { ...given, ...(prototypes !== undefined && { prototypes }) })
    if (model.name === BUILT_IN) throw new Error(`'${BUILT_IN}' is the network of prnd: choose another name with --name`)
    await client.infer(file, model, GREY, signal) // a network that fails on a picture is not stored
    signal.throwIfAborted()
    await storeModel(folder, model, bytes)
    return model
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** A picture of one grey pixel (PNG). */
const GREY = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')
