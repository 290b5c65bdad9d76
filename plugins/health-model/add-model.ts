import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timeoutSignal } from '../../core/index.js'
import { describeModel, type Wishes } from './describe-model.js'
import { licenceIn, onnxFacts } from './onnx-file.js'
import type { InferenceClient } from './runtime/client.js'
import { checksumOf, keepModel } from './store.js'
import type { Model } from './types.js'

const MOST_BYTES = 500_000_000
const FETCH_MS = 600_000
const MOST_HOPS = 5
const isAddress = (source: string): boolean => /^https?:/i.test(source)

const tooLarge = () => new Error(`The file is larger than ${MOST_BYTES / 1e6} MB`)

const isHere = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Where an answer leads on to. @throws unless that is fetched over https, and is not a machine's way to itself */
function nextHop (response: Response, from: URL): URL | undefined {
  const place = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
  if (place === null) return undefined
  if (!URL.canParse(place, from.href)) throw new Error(`${from.host} leads to no address`)
  const next = new URL(place, from)
  const isFit = isHere(from) ? isHere(next) || next.protocol === 'https:' : next.protocol === 'https:' && !isHere(next)
  if (!isFit) throw new Error(`${from.host} leads to ${next.origin}, and a network is fetched over https only`)
  return next
}

/** Follows redirects itself, because each step of the way must be judged and not only the last. */
async function follow (first: URL, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let hops = 0; hops <= MOST_HOPS; hops++) {
    const response = await fetch(url, { redirect: 'manual', signal })
    const next = nextHop(response, url)
    if (next === undefined) return response
    await response.body?.cancel()
    url = next
  }
  throw new Error(`${first.host} leads on more than ${MOST_HOPS} times`)
}

async function download (address: string, signal: AbortSignal): Promise<Uint8Array> {
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
  }
  return Buffer.concat(parts)
}

/** A network, or what belongs to it, from a file or an address. Nothing is fetched that was not asked for. */
async function fetchFile (source: string, signal: AbortSignal): Promise<Uint8Array> {
  if (isAddress(source)) return await download(source, signal)
  if ((await stat(source)).size > MOST_BYTES) throw tooLarge()
  return await readFile(source)
}

/** As it is kept: an address without what may be a secret. */
function sourceText (source: string): string {
  if (!isAddress(source)) return source
  const { origin, pathname } = new URL(source)
  return origin + pathname
}

export interface Addition {
  readonly folder: string
  readonly client: Pick<InferenceClient, 'inspect' | 'infer'>
  readonly source: string
  readonly wishes: Omit<Wishes, 'prototypes'> & { readonly prototypesFrom?: string }
  readonly signal: AbortSignal
}

/** Fetches, opens and tries a network, and keeps it with its checksum. @throws what is wrong with it */
export async function addModel ({ folder, client, source, wishes, signal }: Addition): Promise<Model> {
  const { prototypesFrom, ...said } = wishes
  const bytes = await fetchFile(source, signal)
  const licence = licenceIn(onnxFacts(bytes))
  const prototypes = prototypesFrom === undefined
    ? undefined
    : Buffer.from(await fetchFile(prototypesFrom, signal)).toString('utf8')
  const room = await mkdtemp(join(tmpdir(), 'prnd-model-'))
  try {
    const file = join(room, 'model.onnx')
    await writeFile(file, bytes)
    const facts = {
      sha256: checksumOf(bytes),
      bytes: bytes.length,
      source: sourceText(source),
      addedAt: new Date().toISOString(),
      licence
    }
    const model = describeModel(source, facts, await client.inspect(file, signal),
      { ...said, ...(prototypes !== undefined && { prototypes }) })
    await client.infer(file, model, GREY, signal) // what does not answer a picture is not kept
    await keepModel(folder, model, bytes)
    return model
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** A picture of one grey pixel (PNG). */
const GREY = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')
