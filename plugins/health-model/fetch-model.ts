import { readFile, stat } from 'node:fs/promises'

const MOST_BYTES = 500_000_000
const FETCH_MS = 600_000
const isAddress = (source: string): boolean => /^https?:/i.test(source)

const tooLarge = () => new Error(`The file is larger than ${MOST_BYTES / 1e6} MB`)

async function download (address: string, signal: AbortSignal): Promise<Uint8Array> {
  const url = new URL(address)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isHere) throw new Error('A network is fetched over https only')
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) })
  if (!response.ok || response.body === null) throw new Error(`${url.host} answers ${response.status}`)
  if (!isHere && !response.url.startsWith('https:')) throw new Error(`${url.host} leads away from https`)
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
export async function fetchFile (source: string, signal: AbortSignal): Promise<Uint8Array> {
  if (isAddress(source)) return await download(source, signal)
  if ((await stat(source)).size > MOST_BYTES) throw tooLarge()
  return await readFile(source)
}

/** As it is kept: an address without what may be a secret. */
export function sourceText (source: string): string {
  if (!isAddress(source)) return source
  const { origin, pathname } = new URL(source)
  return origin + pathname
}
