import { FTPError, type Client } from 'basic-ftp'
import { ensureFolder } from './folders.js'
import { isFolder, isMissing, kindOf } from './stat.js'
import { below, cardPath, parentOf } from './path.js'
import { SdCardError } from './sd-card-error.js'
import { listFolder, type ListDeps } from './list-recursive.js'
import type { SdCardOptions } from './types.js'

/** One reply stands for what is not there, for what may not be changed, and for what is of another kind. */
async function unlessProtected<T> (client: Client, path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error) && await kindOf(client, path) !== undefined) throw writeProtected(path, error)
    throw error
  }
}

const writeProtected = (path: string, error: FTPError) => new SdCardError('not_writable', `${path} exists, but the ` +
  `printer refuses to change it: the card may be write-protected, or the file in use (${error.message})`, { cause: error })

/** A lost answer may mean that it was done: from the second attempt on, nothing there is success. */
async function gone (attempt: number, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (attempt === 1 || !isMissing(error)) throw error
  }
}

export async function makeFolder ({ line }: ListDeps, path: string, { signal }: SdCardOptions): Promise<void> {
  await line.use({ what: `Creating ${path}`, signal, run: client => ensureFolder(client, path) })
}

export async function rename ({ line }: ListDeps, from: string, to: string, { signal }: SdCardOptions): Promise<void> {
  if (to.startsWith(`${from}/`)) throw new SdCardError('bad_path', `${from} cannot be moved into itself, to ${to}`)
  await line.use({
    what: `Renaming ${from} to ${to}`,
    signal,
    attempts: 1, // after a lost answer nobody knows under which name it is
    async run (client) {
      await unlessProtected(client, from, client.send(`RNFR ${from}`))
      try {
        await client.send(`RNTO ${to}`)
      } catch (error) {
        throw isMissing(error) || (error instanceof FTPError && error.code === 553)
          ? await targetRefused(client, from, to, error)
          : error
      }
    }
  })
}

/** The source was accepted already: what is refused is the new name, or the folder that it is in. */
async function targetRefused (client: Client, from: string, to: string, error: FTPError): Promise<SdCardError> {
  const cause = { cause: error }
  const folder = parentOf(to)
  if (!await isFolder(client, folder)) {
    return new SdCardError('no_folder',
      `There is no folder ${folder}/ on the card: create it first, then rename ${from} to ${to}`, cause)
  }
  if (await isFolder(client, to)) return new SdCardError('is_folder', `A folder ${to}/ already exists`, cause)
  return new SdCardError('not_writable', `The printer refuses the new name ${to}: the card may be write-protected, ` +
    `or ${folder === '/' ? 'its root' : `${folder}/`} does not take that name (${error.message})`, cause)
}

export async function remove ({ line }: ListDeps, path: string, { signal }: SdCardOptions): Promise<void> {
  await line.use({
    what: `Deleting ${path}`,
    signal,
    run: (client, attempt) => gone(attempt, removeFile(client, path))
  })
}

async function removeFile (client: Client, path: string): Promise<void> {
  try {
    await client.send(`DELE ${path}`)
  } catch (error) {
    const kind = isMissing(error) ? await kindOf(client, path) : undefined
    if (kind === 'file') throw writeProtected(path, error as FTPError)
    if (kind === 'folder') {
      throw new SdCardError('is_folder', `${path} is a folder. To delete it with everything in it, name it with a ` +
        `slash at the end: ${path}/`, { cause: error })
    }
    throw error
  }
}

export async function removeFolder (deps: ListDeps, path: string, { signal }: SdCardOptions): Promise<void> {
  await deps.line.use({
    what: `Deleting ${path}/`,
    signal,
    run: (client, attempt) => gone(attempt, unlessFile(client, path, clear(client, path, deps)))
  })
}

async function unlessFile (client: Client, path: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isMissing(error) || await kindOf(client, path) !== 'file') throw error
    throw new SdCardError('is_file', `${path} is a file: to delete it, leave out the slash at the end`, { cause: error })
  }
}

async function clear (client: Client, folder: string, deps: ListDeps): Promise<void> {
  await empty(client, folder, deps)
  await client.cd(parentOf(folder))
  try {
    await client.send(`RMD ${folder}`)
  } catch (error) {
    if (!isMissing(error)) throw error
    await empty(client, folder, deps, '-a') // what begins with a dot is not listed otherwise
    await client.cd(parentOf(folder))
    await unlessProtected(client, folder, client.send(`RMD ${folder}`))
  }
}

/** @throws CardProblem bad_path where folders lie in folders without end */
async function empty (client: Client, folder: string, deps: ListDeps, options = ''): Promise<void> {
  const { items } = await listFolder(client, folder, deps, { options })
  for (const { name, isFolder: isInner } of items) {
    const path = cardPath(below(folder, name))
    if (isInner) await clear(client, path, deps)
    else await unlessProtected(client, path, client.send(`DELE ${path}`))
  }
}
