export interface Stat {
  readonly isFolder: boolean
  readonly size: number
  /** ms since the epoch. */
  readonly modifiedAt: number
}
export interface Named extends Stat { readonly name: string }

/** Receives the bytes of one file. */
export interface Sink {
  write (chunk: Buffer): Promise<void>
  end (): Promise<void>
  /** The upload was interrupted. @default `end`: the file is stored as received */
  abort? (): Promise<void>
}

/** The content of a card. Paths are absolute, without a trailing slash. Failing calls throw. */
export interface CardStore {
  stat (path: string): Promise<Stat | undefined>
  list (path: string): Promise<readonly Named[]>
  read (path: string, start: number): AsyncIterable<Buffer>
  /** Replaces an existing file. @throws if the folder is missing */
  write (path: string): Promise<Sink>
  touch (path: string, modifiedAt: number): Promise<void>
  remove (path: string): Promise<void>
  makeFolder (path: string): Promise<void>
  /** @throws unless the folder is empty */
  removeFolder (path: string): Promise<void>
  rename (from: string, to: string): Promise<void>
  /** Size of all files, bytes. */
  used (): Promise<number>
}

/** A card as one client sees it. */
export interface ServedCard {
  readonly store: CardStore
  readonly present: boolean
  readonly readOnly: boolean
  readonly capacity: number
  /** Speed of reads and writes. */
  readonly bytesPerSecond: number
  /** Opens a file for writing, which may exceed the card; content before `start` is preserved. */
  write (path: string, start?: number): Promise<Sink>
}

/** The card is full. */
export class CardFull extends Error {}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** An absolute path without `.` and `..`, which cannot leave the root, as with chroot. */
export function absolute (cwd: string, given: string): string {
  const parts: string[] = []
  for (const part of (given.startsWith('/') ? given : `${cwd}/${given}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
