export interface Stat {
  readonly isFolder: boolean
  readonly size: number
  /** ms since the epoch. */
  readonly modifiedAt: number
}
export interface Named extends Stat { readonly name: string }

/** Takes the bytes of one file. */
export interface Sink {
  write (chunk: Buffer): Promise<void>
  end (): Promise<void>
  /** The bytes ended in their middle. @default they are kept */
  abort? (): Promise<void>
}

/** Where the content of a card is kept. Paths are absolute, without a slash at the end. Failing calls throw. */
export interface CardStore {
  stat (path: string): Promise<Stat | undefined>
  list (path: string): Promise<readonly Named[]>
  read (path: string, start: number): AsyncIterable<Buffer>
  /** Empties a file that is there. @throws when the folder is missing */
  write (path: string): Promise<Sink>
  touch (path: string, modifiedAt: number): Promise<void>
  remove (path: string): Promise<void>
  makeFolder (path: string): Promise<void>
  /** @throws unless the folder is empty */
  removeFolder (path: string): Promise<void>
  rename (from: string, to: string): Promise<void>
  /** Bytes of all files. */
  used (): Promise<number>
}

/** A card as the server sees it. */
export interface ServedCard {
  readonly store: CardStore
  readonly present: boolean
  readonly readOnly: boolean
  readonly capacity: number
  /** How fast it reads and writes. */
  readonly bytesPerSecond: number
  /** A file for writing, which may be too much for the card; what stands before `start` is kept. */
  write (path: string, start?: number): Promise<Sink>
}

/** There is no room for more. */
export class CardFull extends Error {}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** An absolute path without `.` and `..`; what leads above the root stays at it, as in a changed root. */
export function absolute (cwd: string, given: string): string {
  const parts: string[] = []
  for (const part of (given.startsWith('/') ? given : `${cwd}/${given}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
