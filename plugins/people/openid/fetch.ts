import { wordsOfFailure } from '../../../core/index.js'
import { LoginRefused } from './refusals.js'

/** Documents of providers are a few kilobytes. */
const MOST_BYTES = 1_048_576
const TRIES = 3
const PAUSE_MS = 300

type Options = Parameters<typeof fetch>[1]

const causeOf = (error: Error): string => error.name === 'TimeoutError' ? 'no answer in time' : wordsOfFailure(error)

async function bodyOf (response: Response): Promise<ArrayBuffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new LoginRefused('unusable', 'the answer is larger than 1 MiB')
    chunks.push(chunk)
  }
  return length === 0 ? null : new Uint8Array(Buffer.concat(chunks)).buffer
}

/**
 * A request to the provider, with an answer of limited size. GET is retried; the request with the code is not, because
 * the provider may already have redeemed it.
 * @throws LoginRefused
 */
export async function boundedFetch (url: string, options: object): Promise<Response> {
  const { method = 'GET', signal } = options as NonNullable<Options>
  const where = new URL(url).host
  for (let left = method === 'GET' ? TRIES : 1; ; left--) {
    try {
      const response = await fetch(url, options as Options)
      const { status, headers } = response
      if (status < 500) return new Response(await bodyOf(response), { status, headers })
      await response.body?.cancel()
      throw new Error(`it answered ${status}`)
    } catch (error) {
      if (error instanceof LoginRefused) throw error
      if (left <= 1 || signal?.aborted === true) throw new LoginRefused('unreachable', `${where}: ${causeOf(error as Error)}`)
    }
    await new Promise(resolve => { setTimeout(resolve, PAUSE_MS) })
  }
}
