import { FTPError, type Client } from 'basic-ftp'
import { ensureFolder } from './folders.js'
import { isFolder, isMissing, kindOf } from './path-kind.js'
import { below, cardPath, parentOf } from './path.js'
import { SdCardError } from './sd-card-error.js'
import { listFolder, type ListDeps } from './list-recursive.js'
import type { SdCardItem, SdCardOptions } from './types.js'

/** Servers reply 550 for a missing file, a protected one and a folder alike, so this checks what is there. */
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

/** A lost reply may mean that the deletion succeeded: from the second attempt on, a missing file is a success. */
async function unlessGone (attempt: number, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (attempt === 1 || !isMissing(error)) throw error
  }
}

export async function makeFolder ({ connection }: ListDeps, path: string, { signal }: SdCardOptions): Promise<void> {
  await connection.use({ what: `Creating ${path}`, signal, run: client => ensureFolder(client, path) })
}

export async function rename ({ connection }: ListDeps, from: string, to: string,
  { signal }: SdCardOptions): Promise<void> {
  if (to.startsWith(`${from}/`)) throw new SdCardError('bad_path', `${from} cannot be moved into itself, to ${to}`)
  await connection.use({
    what: `Renaming ${from} to ${to}`,
    signal,
    attempts: 1, // after a lost reply it is unknown which name the file has
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

/** RNFR was accepted, so RNTO refuses the new name or its folder. */
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

export async function remove ({ connection }: ListDeps, path: string, { signal }: SdCardOptions): Promise<void> {
  await connection.use({
    what: `Deleting ${path}`,
    signal,
    run: (client, attempt) => unlessGone(attempt, removeFile(client, path))
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
  await deps.connection.use({
    what: `Deleting ${path}/`,
    signal,
    run: (client, attempt) => unlessGone(attempt, unlessFile(client, path, clear(client, path, deps)))
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
    await empty(client, folder, deps, '-a') // names that begin with a dot are not listed otherwise
    await client.cd(parentOf(folder))
    await unlessProtected(client, folder, client.send(`RMD ${folder}`))
  }
}

/** @throws SdCardError bad_path if folders are nested without end */
async function empty (client: Client, folder: string, deps: ListDeps, options = ''): Promise<void> {
  const { items } = await listFolder(client, folder, deps, { options })
  for (const { name, isFolder: isInner } of items) {
    const path = cardPath(below(folder, name))
    if (isInner) await clear(client, path, deps)
    else await unlessProtected(client, path, client.send(`DELE ${path}`))
  }
}

/** LIST gives minutes, and only days for old files; servers with MDTM (RFC 3659) give seconds. */
async function changedAtOf (client: Client, path: string): Promise<number | undefined> {
  const { message } = await client.sendIgnoringError(`MDTM ${path}`)
  const [, year, month, day, hour, minute, second] = /^213 (\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(message) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return Number.isNaN(at) ? undefined : at
}

/** One file or folder as the server lists it now; undefined if there is none. */
export async function stat (deps: ListDeps, path: string, { signal }: SdCardOptions): Promise<SdCardItem | undefined> {
  const folder = parentOf(path)
  return await deps.connection.use({
    what: `Looking for ${path}`,
    signal,
    async run (client) {
      const options = deps.quirks.listsHidden ? '-a' : ''
      const { items } = await listFolder(client, folder, deps, { options }).catch(error => {
        if (error instanceof FTPError && error.code === 550 && folder !== '/') return { items: [] }
        throw error
      })
      const item = items.find(item => item.path === path)
      if (item === undefined || item.isFolder) return item
      const changedAt = await changedAtOf(client, path)
      return changedAt === undefined ? item : { ...item, changedAt }
    }
  })
}
