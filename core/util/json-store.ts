import { chmod, mkdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { Static, TSchema } from 'typebox'
import { jsonProblem } from './locate-json-error.js'
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
   * Replaces the document and writes it; writes never overlap and never leave half a file. A document that is no JSON
   * is refused, and the one before stays.
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
  let { value } = await read(path, options)
  let text = ''
  let writing: Promise<void> = Promise.resolve()
  /** The write that has not begun: it will write the newest document for all callers. */
  let next: Promise<void> | undefined

  async function writeNewest (): Promise<void> {
    next = undefined
    await writeText(path, text, options.mode)
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

/** Writes JSON beside the file, syncs it, and renames it into place. */
export const writeJson = (path: string, value: unknown, mode = PRIVATE_FILE): Promise<void> =>
  writeText(path, textOf(value), mode)

const textOf = (value: unknown, compact = false) => JSON.stringify(value, null, compact ? 0 : 2) + '\n'

async function writeText (path: string, text: string, mode = PRIVATE_FILE): Promise<void> {
  const write = () => writeFileAtomic(path, text, { mode })
  try {
    await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
    await write()
  }
}

async function read<S extends TSchema> (path: string, { schema, initial, warn }: StoreOptions<S>):
Promise<{ value: Static<S> }> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return { value: initial }
  const parsed = parseJson(text, schema)
  if ('value' in parsed) return parsed
  const aside = `${path}.damaged-${Date.now()}`
  await rename(path, aside).then(
    () => warn(`${path} is damaged (${parsed.reason}); it was set aside as ${aside} and a new one is begun`),
    (error: Error) => warn(`${path} is damaged (${parsed.reason}) and cannot be set aside: ${error.message}`))
  return { value: initial }
}

/** Parses and validates JSON. The reason repeats nothing of the text, as it may hold secrets. */
export function parseJson<S extends TSchema> (text: string, schema: S): { value: Static<S> } | { reason: string } {
  const broken = jsonProblem(text) // the parser's own message would repeat parts of the file
  if (broken !== undefined) return { reason: broken }
  const value = JSON.parse(text) as Static<S>
  const reason = validationError(schema, value)
  return reason === undefined ? { value } : { reason }
}

/** Makes a folder that only its owner may enter. */
export async function privateFolder (...parts: string[]): Promise<string> {
  const folder = join(...parts)
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  await chmod(folder, PRIVATE_FOLDER).catch(() => {}) // a mounted folder may not belong to us
  return folder
}
