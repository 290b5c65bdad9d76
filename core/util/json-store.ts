import { randomUUID } from 'node:crypto'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { Type, type Static, type TSchema } from 'typebox'
import { LinkLeadsOut } from '../errors.js'
import { jsonProblem } from './locate-json-error.js'
import { checkReplaceable, readOwnText, setAside } from './own-file.js'
import { validationError } from './validate.js'

export interface StoreOptions<S extends TSchema> {
  /** What a valid file contains. */
  readonly schema: S
  /** Used when there is no file, or a damaged one. */
  readonly initial: Static<S>
  /** Called when a damaged file was renamed. */
  readonly warn: (message: string) => void
  /** File mode. @default 0o600 */
  readonly mode?: number
  /** Without indentation, which can be larger than the values. @default false */
  readonly compact?: boolean
}

/** One small JSON document on disk, held in memory. */
export interface JsonStore<T> {
  readonly path: string
  get (): T
  /**
   * Replaces the document and writes it; writes never overlap and are atomic. A value that is not serialisable is
   * refused, and the previous one stays.
   */
  set (value: T): Promise<void>
  /** Resolves when nothing is being written; never rejects. */
  settled (): Promise<void>
}

const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/**
 * Opens a JSON file. A damaged one is renamed to `*.damaged-<time>` with a warning; it is never overwritten and never
 * prevents the start.
 */
export async function openJsonStore<S extends TSchema> (path: string, options: StoreOptions<S>):
Promise<JsonStore<Static<S>>> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  let { value, isDamaged = false } = await read(path, options)
  let text = ''
  let writing: Promise<void> = Promise.resolve()
  /** The queued write, which will write the newest document for all callers. */
  let next: Promise<void> | undefined

  async function writeNewest (): Promise<void> {
    next = undefined
    if (isDamaged) await setAside(path) // it could not be renamed before: storing nothing is better than losing it
    isDamaged = false
    await writeOwnText(path, text, options.mode)
  }

  return {
    path,
    get: () => value,
    set (changed) {
      try {
        text = textOf(changed, options.compact)
      } catch (error) {
        return refused(error)
      }
      value = changed
      writing = next ??= writing.catch(() => {}).then(writeNewest)
      return writing
    },
    settled: () => writing.catch(() => {})
  }
}

const refused = async (reason: unknown): Promise<never> => { throw reason }

/**
 * Writes JSON to a temporary file, syncs it, and renames it into place.
 * @throws PRN_ERR_NOT_A_FILE if something other than a regular file is there
 */
export const writeJson = (path: string, value: unknown, mode = PRIVATE_FILE): Promise<void> =>
  writeOwnText(path, textOf(value), mode)

const textOf = (value: unknown, compact = false) => JSON.stringify(value, null, compact ? 0 : 2) + '\n'

/**
 * Replaces a file of the service atomically.
 * @throws PRN_ERR_NOT_A_FILE if something other than a regular file is there
 */
export async function writeOwnText (path: string, text: string, mode = PRIVATE_FILE): Promise<void> {
  await checkReplaceable(path)
  const write = () => writeFileAtomic(path, text, { mode })
  try {
    await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
    await write()
  }
}

/** What a disk answers that is full, or has become read-only after an error. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'])
export const isNoRoom = (error: unknown): boolean => NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '')
/** For what a service can do without on such a disk. @throws any other error */
export function unlessNoRoom (error: unknown): void { if (!isNoRoom(error)) throw error }

/**
 * What the first start chose, the same across restarts. It is written only then: a full disk must not prevent a later
 * start.
 */
export async function openLasting<S extends TSchema> (path: string, options: StoreOptions<S>): Promise<Static<S>> {
  const store = await openJsonStore(path, options)
  const value = store.get()
  if (value !== options.initial) return value
  await store.set(value).catch((error: unknown) => {
    if (!isNoRoom(error)) throw error
    options.warn(`${path} cannot be written: ${(error as Error).message}`)
  })
  return value
}

const Instance = Type.Object({ id: Type.String() })

/** Id of this service in a folder of its own. */
export const openInstanceId = async (folder: string, warn: (message: string) => void): Promise<string> =>
  (await openLasting(join(folder, 'instance.json'), { schema: Instance, initial: { id: randomUUID() }, warn })).id

async function read<S extends TSchema> (path: string, { schema, initial, warn }: StoreOptions<S>):
Promise<{ value: Static<S>, isDamaged?: boolean }> {
  const text = await readOwnText(path)
  if (text === undefined) return { value: initial }
  const parsed = parseJson(text, schema)
  if ('value' in parsed) return parsed
  return await setAside(path).then(
    aside => {
      warn(`${path} is damaged (${parsed.reason}); it was set aside as ${aside} and a new one is begun`)
      return { value: initial }
    },
    (error: Error) => {
      warn(`${path} is damaged (${parsed.reason}) and cannot be set aside: ${error.message}`)
      return { value: initial, isDamaged: true }
    })
}

/** Parses and validates JSON. The reason contains nothing of the text, which may include secrets. */
export function parseJson<S extends TSchema> (text: string, schema: S): { value: Static<S> } | { reason: string } {
  const broken = jsonProblem(text) // the parser's own message would repeat parts of the file
  if (broken !== undefined) return { reason: broken }
  const value = JSON.parse(text) as Static<S>
  const reason = validationError(schema, value)
  return reason === undefined ? { value } : { reason }
}

/**
 * Creates a folder that only its owner may access.
 * @param root may be a link; links inside it must not lead out of it
 * @throws PRN_ERR_LINK_LEADS_OUT for a link that does
 */
export async function privateFolder (root: string, ...parts: string[]): Promise<string> {
  await mkdir(root, { recursive: true, mode: PRIVATE_FOLDER })
  const outer = await realpath(root)
  let folder = root
  for (const part of parts) {
    folder = join(folder, part)
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    const inner = await realpath(folder)
    if (relative(outer, inner).split(sep)[0] === '..') throw new LinkLeadsOut(folder, inner)
  }
  await chmod(folder, PRIVATE_FOLDER).catch(() => {}) // a mounted folder may not belong to us
  return folder
}
