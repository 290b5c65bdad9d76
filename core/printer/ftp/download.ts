import type { Client } from 'basic-ftp'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nameOf, parentOf } from './path.js'
import { SdCardError, toSdCardError } from './sd-card-error.js'
import { withProgress } from './progress.js'
import type { SdCardDownload, SdCardSink } from './types.js'
import { incomplete } from './upload.js'
import { listFolder, type ListDeps } from './list-recursive.js'

/** Fails beyond the announced size: a server that sends more could fill the disk. */
class Bounded extends Transform {
  #left: number
  readonly #problem: SdCardError

  constructor (path: string, size: number) {
    super()
    this.#left = size
    this.#problem = new SdCardError('too_much', `The printer sent more than the announced ${size} bytes of ${path}`)
  }

  override _transform (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length
    if (this.#left < 0) done(this.#problem)
    else done(null, chunk)
  }
}

/** The file's size by SIZE, or from the listing where the server does not support that. */
async function announced (client: Client, path: string, what: string, deps: ListDeps): Promise<number> {
  try {
    return await client.size(path)
  } catch (error) {
    if (toSdCardError(error, what).code !== 'unsupported') throw error
  }
  const { items } = await listFolder(client, parentOf(path), deps)
  const found = items.find(({ name, isFolder }) => !isFolder && name === nameOf(path))
  if (found === undefined) throw new SdCardError('not_found', `${what}: there is no such file`)
  return found.size
}

/** Downloads a file and compares its size: a truncated transfer can appear successful. */
export async function download (deps: ListDeps, path: string, sink: () => SdCardSink,
  { signal, onProgress, mostBytes = Infinity }: SdCardDownload): Promise<{ size: number }> {
  const what = `Downloading ${path}`
  return await deps.connection.use({
    what,
    signal,
    async run (client) {
      const total = await announced(client, path, what, deps)
      if (total > mostBytes) {
        throw new SdCardError('too_much', `The printer announced ${total} bytes of ${path}, but lists ${mostBytes}`)
      }
      const target = sink()
      await withProgress(total, () => target.bytesWritten, onProgress, async () => {
        const bounded = new Bounded(path, total)
        const stored = pipeline(bounded, target) // resolves once everything is written
        stored.catch(() => {}) // the transfer fails with the same error
        await client.downloadTo(bounded, path)
        await stored
      })
      if (target.bytesWritten !== total) throw incomplete(path, target.bytesWritten, total)
      return { size: total }
    }
  })
}
