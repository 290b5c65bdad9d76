import { createHash } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { createDiskLru, readOwnFile } from '../../core/index.js'
import type { CardEntry } from '../files/index.js'
import { isSame, type CachedProject } from './cached-project.js'

/** Projects on disk, so that after a restart they need not be fetched from the card again. */
export interface ProjectStore {
  /** The stored project of exactly this file; undefined when there is none, or it is damaged. Never throws. */
  load (key: string, entry: CardEntry): Promise<CachedProject | undefined>
  /** Replaces the stored project of a file. Never throws. */
  save (key: string, item: CachedProject): Promise<void>
  /** Removes the project of a file that has changed. */
  forget (key: string): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

export interface ProjectStoreOptions {
  readonly folder: () => Promise<string>
  /** Most that all projects together may take. */
  readonly mostBytes: number
  readonly warn: (message: string) => void
  /** Aborted at shutdown: nothing is written from then on. */
  readonly signal: AbortSignal
}

/** File header; its number is raised whenever the stored shape changes, so that older files are ignored. */
const MARK = Buffer.from('prn project 2\n')
const DIGEST_BYTES = 32
const HEAD_BYTES = MARK.length + DIGEST_BYTES
const ENDING = '.project'
const DAMAGED = '.damaged'
const PRIVATE = 0o600
/** Largest share of the store for one project. */
const LARGEST_SHARE = 1 / 4

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32) + ENDING

function encode (key: string, { source, plates, images }: CachedProject): Buffer {
  const body = serialize({ key, source, plates, images })
  return Buffer.concat([MARK, digestOf(body), body])
}

/** @returns undefined for bytes that another version wrote @throws Error for damaged ones */
function decode (bytes: Buffer): (CachedProject & { readonly key: string }) | undefined {
  if (bytes.length >= MARK.length && !bytes.subarray(0, MARK.length).equals(MARK)) {
    if (bytes.subarray(0, 12).equals(MARK.subarray(0, 12))) return undefined
    throw new Error('its header is wrong')
  }
  const body = bytes.subarray(HEAD_BYTES)
  if (bytes.length < HEAD_BYTES || !digestOf(body).equals(bytes.subarray(MARK.length, HEAD_BYTES))) {
    throw new Error('its checksum is wrong')
  }
  return deserialize(body) as CachedProject & { readonly key: string }
}

export function createProjectStore ({ folder, mostBytes, warn, signal }: ProjectStoreOptions): ProjectStore {
  const saving = new Set<Promise<void>>()
  const files = createDiskLru({ folder, maxBytes: mostBytes })

  async function setAside (path: string, reason: string): Promise<void> {
    await rename(path, path + DAMAGED).then(
      () => warn(`${path} is damaged (${reason}); it was set aside as ${path}${DAMAGED} and the project is read anew`),
      (error: Error) => warn(`${path} is damaged (${reason}) and cannot be set aside: ${error.message}`))
  }

  async function write (key: string, item: CachedProject): Promise<void> {
    try {
      const bytes = encode(key, item)
      if (bytes.length > mostBytes * LARGEST_SHARE) return
      await files.add(nameOf(key), bytes.length, path => writeFile(path, bytes, { flag: 'wx', mode: PRIVATE }))
    } catch (error) {
      warn(`a project cannot be stored: ${(error as Error).message}`)
    }
  }

  const missing = (error: Error): undefined => { warn(`a stored project cannot be read: ${error.message}`) }

  return {
    async load (key, entry) {
      const path = await files.pathOf(nameOf(key))
      const bytes = await readOwnFile(path).catch(missing)
      if (bytes === undefined) return undefined
      try {
        const item = decode(bytes)
        if (item?.key !== key || !isSame(item.source.entry, entry)) return undefined
        await files.use(nameOf(key))
        return { source: item.source, plates: item.plates, images: item.images }
      } catch (error) {
        await setAside(path, (error as Error).message)
        return undefined
      }
    },
    async save (key, item) {
      if (signal.aborted) return
      const running = write(key, item)
      saving.add(running)
      await running.finally(() => saving.delete(running))
    },
    forget: async key => await files.remove(nameOf(key)).catch(() => {}),
    settled: async () => { await Promise.all(saving) }
  }
}
