import { createReadStream } from 'node:fs'
import type { QueueService } from '../../queue/index.js'
import { baseOf, CardFull, type CardStore, type ServedCard, type Sink } from '../../printer-servers/index.js'
import { surfaceOf } from '../act.js'
import type { Client } from '../options.js'
import { forwardUpload } from '../upload.js'
import type { Uploads } from './uploads.js'

export interface GroupCardOptions {
  readonly queue: QueueService
  readonly client: Client
  readonly uploads: Uploads
  readonly now: () => number
  /** Called for failures, for the log. */
  readonly onFailed: (act: string, path: string, error: unknown) => void
}

/** Slicers test the card with a small file before they send a project. */
const MOST_OTHER_BYTES = 1_048_576
const FULL = new Set<unknown>(['PRN_ERR_LIBRARY_FULL', 'PRN_ERR_SLICED_FILE_TOO_LARGE'])

const never = async (): Promise<never> => { throw new Error('the card of a group only holds uploads') }

/** The card of a group as one client sees it. Uploaded projects are stored in the library of the queue. */
export function createGroupCard ({ queue, client, uploads, now, onFailed }: GroupCardOptions): ServedCard {
  /** Other files are not printed: they are listed, but their content is discarded. */
  function drop (path: string): Sink {
    let size = 0
    return {
      async write (chunk) {
        size += chunk.length
        if (size > MOST_OTHER_BYTES) throw new CardFull()
      },
      end: async () => uploads.add(path, { size, modifiedAt: now(), file: undefined }),
      abort: async () => {}
    }
  }

  const storeProject = (path: string): Sink => forwardUpload(async source => {
    try {
      const { id, size } = await queue.storeFile(source, baseOf(path), surfaceOf(client), client.signal)
      uploads.add(path, { size, modifiedAt: now(), file: id })
    } catch (error) {
      onFailed('queue.storeFile', path, error)
      throw error
    }
  }, error => FULL.has((error as { code?: unknown }).code))

  const write = async (path: string): Promise<Sink> => path.toLowerCase().endsWith('.3mf') ? storeProject(path) : drop(path)

  const store: CardStore = {
    stat: async path => uploads.stat(path),
    list: async path => uploads.list(path),
    async * read (path) {
      const file = uploads.find(path)?.file
      if (file === undefined) throw new Error(`not here: ${path}`)
      yield * createReadStream(await queue.library.verified(file)) as AsyncIterable<Buffer>
    },
    write,
    touch: async () => {},
    async remove (path) { if (!uploads.remove(path)) throw new Error(`not here: ${path}`) },
    makeFolder: async () => {},
    removeFolder: never,
    rename: never,
    used: async () => 0
  }

  return {
    store,
    present: true,
    readOnly: client.access === 'read',
    capacity: Infinity,
    bytesPerSecond: Infinity,
    write
  }
}
