import { NotConnected, SdCardError, type Kernel, type PrinterSession } from '../../core/index.js'
import type { CardEntry, FilesService } from '../files/index.js'
import type { CardStore, ServedCard, Sink, Stat } from '../printer-servers/index.js'
import { actAs } from './act.js'
import type { Client } from './options.js'
import { receiveForCard } from './card-upload.js'

export interface RelayedCardOptions {
  readonly kernel: Pick<Kernel, 'call' | 'operations'>
  readonly files: FilesService
  readonly printer: string
  readonly client: Client
  readonly session: () => PrinterSession | undefined
  /** Called for failures, for the log. */
  readonly onFailed: (act: string, path: string, error: unknown) => void
}

const isFull = (error: unknown): boolean =>
  [error, (error as Error | undefined)?.cause].some(one => one instanceof SdCardError && one.code === 'full')

const statOf = ({ isFolder, size, changedAt, modifiedAt = 0 }: CardEntry): Stat =>
  ({ isFolder, size, modifiedAt: changedAt ?? modifiedAt })

/** The card of a printer as a client sees it; uploads go on to the printer. */
export function createRelayedCard (options: RelayedCardOptions): ServedCard {
  const { kernel, files, printer, client, session, onFailed } = options
  const { signal } = client // what a removed client has begun ends

  function current (): PrinterSession {
    const found = session()
    if (found === undefined) throw new NotConnected(printer)
    return found
  }

  const act = <T>(name: string, path: string, work: (to: PrinterSession) => Promise<T>): Promise<T> =>
    actAs(kernel, name, printer, client, work).catch((error: unknown) => { onFailed(name, path, error); throw error })

  const write = async (path: string): Promise<Sink> => await receiveForCard({
    files: files.hostFiles(),
    store: work => act('files.uploadStored', path, to => work({
      stream: source => files.uploadFrom(to, source, path, { signal }),
      file: hostPath => files.upload(to, hostPath, path, { signal })
    })),
    isFull
  })

  const store: CardStore = {
    async stat (path) {
      const found = await files.stat(current(), path, { signal }).catch((error: unknown) => {
        onFailed('files.find', path, error)
        return undefined
      })
      return found && statOf(found)
    },
    list: async path =>
      (await current().card.listFolder(path, { signal })).map(item => ({ name: item.name, ...statOf(item) })),
    async * read (path) {
      const { body } = await files.stream(current(), path, { signal })
      yield * body as AsyncIterable<Buffer>
    },
    write,
    touch: async () => {},
    remove: async path => await act('files.delete', path, to => files.remove(to, path, { signal })),
    makeFolder: async path => { await act('files.createFolder', path, to => files.makeFolder(to, path, { signal })) },
    async removeFolder (path) {
      if ((await store.list(path)).length > 0) throw new Error(`not empty: ${path}`)
      await act('files.delete', path, to => files.remove(to, `${path}/`, { signal }))
    },
    rename: async (from, to) => await act('files.rename', from, at => files.rename(at, from, to, { signal })),
    used: async () => 0
  }

  return {
    store,
    get present () { return session() !== undefined },
    readOnly: client.access === 'read',
    capacity: Infinity,
    bytesPerSecond: Infinity,
    write
  }
}
