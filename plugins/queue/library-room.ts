import { LibraryFull, SlicedFileTooLarge } from './errors.js'

const MIB = 1024 ** 2

export interface LibraryLimits {
  /** The largest file. */
  readonly fileMiB: number
  /** All files together. */
  readonly libraryMiB: number
}

/** The files of the library by id, and the room that they and the files being written take. */
export class LibraryRoom {
  readonly #limits: LibraryLimits
  readonly #sizes = new Map<string, number>()
  /** Bytes of files that are being written. */
  #pending = 0

  constructor (limits: LibraryLimits) { this.#limits = limits }

  get ids (): ReadonlySet<string> { return new Set(this.#sizes.keys()) }

  has (id: string): boolean { return this.#sizes.has(id) }

  add (id: string, size: number): void { this.#sizes.set(id, size) }

  remove (id: string): void { this.#sizes.delete(id) }

  /**
   * Reserves room for the next bytes of a file. @param size of the file including them
   * @throws PRN_ERR_SLICED_FILE_TOO_LARGE, PRN_ERR_LIBRARY_FULL
   */
  reserve (size: number, bytes: number): void {
    const { fileMiB, libraryMiB } = this.#limits
    if (size > fileMiB * MIB) throw new SlicedFileTooLarge(fileMiB)
    const stored = [...this.#sizes.values()].reduce((sum, each) => sum + each, 0)
    if (stored + this.#pending + bytes > libraryMiB * MIB) throw new LibraryFull(libraryMiB)
    this.#pending += bytes
  }

  /** Call when a file is written or given up. @param bytes all that were reserved for it */
  release (bytes: number): void { this.#pending -= bytes }
}
