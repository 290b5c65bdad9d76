import type { Lift } from '../faults.js'
import { createFolderStore } from './folder-store.js'
import { createMemoryStore } from './memory-store.js'
import {
  absolute, CardFull, parentOf, type CardStore, type FaultSource, type FtpFault, type ServedCard, type Sink
} from '../../printer-servers/index.js'

/** The active faults of a card server. */
interface FtpFaults extends FaultSource {
  add (fault: FtpFault): Lift
  clear (): void
}

function createFtpFaults (): FtpFaults {
  const standing = new Map<FtpFault, number>()
  return {
    add (fault) {
      const own = { ...fault }
      standing.set(own, fault.times ?? Infinity)
      return () => { standing.delete(own) }
    },
    take (command, isEncrypted = true) {
      const strikes = ({ command: struck, ifEncrypted = false }: FtpFault) =>
        (struck === command || struck === '*') && (isEncrypted || !ifEncrypted)
      const found = [...standing].find(([fault]) => strikes(fault))
      if (found === undefined) return undefined
      const [fault, left] = found
      if (left <= 1) standing.delete(fault)
      else standing.set(fault, left - 1)
      return fault
    },
    clear: () => standing.clear()
  }
}

export interface VirtualCardOptions {
  /** A card is inserted. @default true */
  readonly present?: boolean
  /** Bytes that fit on it. @default 1 GiB */
  readonly capacity?: number
  readonly readOnly?: boolean
  /** How fast it reads and writes. @default no limit */
  readonly bytesPerSecond?: number
  /** A folder of the host that serves as the card. @default in memory */
  readonly folder?: string
  /** Comes with a few projects for the model on it. @default false */
  readonly samples?: boolean
  /** Supports restarts of downloads (REST); models with the small server never do. @default true */
  readonly ranges?: boolean
}

/** The card of a virtual printer. */
export interface VirtualCard {
  readonly present: boolean
  /** Pulls the card out, even during transfers. */
  eject (): void
  insert (): void
  readOnly: boolean
  capacity: number
  bytesPerSecond: number
  /** Puts a file on the card, its folders too. */
  put (path: string, content: Uint8Array | string, modifiedAt?: number): Promise<void>
  makeFolder (path: string): Promise<void>
  /** Content of a file; undefined when there is none. */
  get (path: string): Promise<Buffer | undefined>
  remove (path: string): Promise<void>
  /** Paths of all files. */
  files (): Promise<readonly string[]>
  /** Something goes wrong with transfers from now on. */
  fault (fault: FtpFault): Lift
  clearFaults (): void
}

/** The card as the server uses it. */
export interface InsertedCard extends VirtualCard, ServedCard {
  readonly faults: FtpFaults
  readonly ranges: boolean
  readOnly: boolean
  capacity: number
  bytesPerSecond: number
}

/** The card was removed. */
export class CardGone extends Error {}

const GIB = 1024 ** 3

async function makeFolder (store: CardStore, path: string): Promise<void> {
  const wanted = absolute('/', path)
  if (wanted === '/' || await store.stat(wanted) !== undefined) return
  await makeFolder(store, parentOf(wanted))
  await store.makeFolder(wanted)
}

/** The beginning of a continued file, padded with zeros as on a file system. */
async function head (store: CardStore, path: string, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  if (await store.stat(path) === undefined) return bytes
  let at = 0
  for await (const chunk of store.read(path, 0)) {
    at += chunk.copy(bytes, at)
    if (at >= length) break
  }
  return bytes
}

async function filesBelow (store: CardStore, folder: string): Promise<string[]> {
  const found = await store.list(folder)
  const paths = found.map(({ name, isFolder }) => {
    const path = absolute(folder, name)
    return isFolder ? filesBelow(store, path) : [path]
  })
  return (await Promise.all(paths)).flat()
}

/** @param onChange called when the card is inserted or removed */
export function createCard (options: VirtualCardOptions, now: () => number, onChange: (present: boolean) => void):
InsertedCard {
  const store = options.folder === undefined ? createMemoryStore(now) : createFolderStore(options.folder)
  const faults = createFtpFaults()
  let present = options.present ?? true

  async function write (path: string, start = 0): Promise<Sink> {
    let room = card.capacity - await store.used() + ((await store.stat(path))?.size ?? 0)
    if (start > card.capacity) throw new CardFull()
    const before = start === 0 ? undefined : await head(store, path, start)
    const sink = await store.write(path)
    const put = async (chunk: Buffer): Promise<void> => {
      if (!present) throw new CardGone()
      room -= chunk.length
      if (room < 0) throw new CardFull()
      await sink.write(chunk)
    }
    if (before !== undefined) await put(before)
    return { end: sink.end, write: put }
  }

  const setPresent = (next: boolean): void => {
    if (next === present) return
    present = next
    onChange(next)
  }

  const card: InsertedCard = {
    store,
    faults,
    ranges: options.ranges ?? true,
    get present () { return present },
    readOnly: options.readOnly ?? false,
    capacity: options.capacity ?? GIB,
    bytesPerSecond: options.bytesPerSecond ?? Infinity,
    eject: () => setPresent(false),
    insert: () => setPresent(true),
    write,
    makeFolder: path => makeFolder(store, path),
    async put (path, content, modifiedAt) {
      const wanted = absolute('/', path)
      await makeFolder(store, parentOf(wanted))
      const sink = await store.write(wanted)
      await sink.write(Buffer.from(content as Uint8Array))
      await sink.end()
      if (modifiedAt !== undefined) await store.touch(wanted, modifiedAt)
    },
    async get (path) {
      const wanted = absolute('/', path)
      const found = await store.stat(wanted)
      if (found === undefined || found.isFolder) return undefined
      const chunks: Buffer[] = []
      for await (const chunk of store.read(wanted, 0)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    remove: async path => await store.remove(absolute('/', path)),
    files: async () => (await filesBelow(store, '/')).sort(),
    fault: faults.add,
    clearFaults: faults.clear
  }
  return card
}
