import { FTPError, type Client } from 'basic-ftp'
import { below, parentOf } from './path.js'
import { CardProblem } from './problem.js'
import { sizeOf } from './transfers.js'
import { listFolder, type WalkDeps } from './walk.js'
import type { CardCall } from './types.js'

const isMissing = (error: unknown): boolean => error instanceof FTPError && [450, 550].includes(error.code)

const isThere = async (client: Client, path: string): Promise<boolean> =>
  await sizeOf(client, path) !== undefined ||
  await client.cd(path).then(() => true, error => { if (error instanceof FTPError) return false; throw error })

/** One reply stands for what is not there and for what may not be changed: what is there may not. */
async function unlessProtected<T> (client: Client, path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error) && await isThere(client, path)) throw writeProtected(path, error as FTPError)
    throw error
  }
}

const writeProtected = (path: string, error: FTPError) => new CardProblem('not_writable', `${path} is there, but the ` +
  `printer refuses to change it: the card may be write-protected, or the file in use (${error.message})`, { cause: error })

/** A lost answer may mean that it was done: from the second attempt on, nothing there is success. */
async function gone (attempt: number, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (attempt === 1 || !isMissing(error)) throw error
  }
}

export async function makeFolder ({ line }: WalkDeps, path: string, { signal }: CardCall): Promise<void> {
  const parents = path.split('/').slice(1).map((_, at, parts) => `/${parts.slice(0, at + 1).join('/')}`)
  await line.use({
    what: `Creating ${path}`,
    signal,
    async run (client) {
      for (const folder of parents) await ensure(client, folder)
    }
  })
}

/** MKD of a folder that exists is refused as if it could not be made. */
async function ensure (client: Client, folder: string): Promise<void> {
  try {
    await client.send(`MKD ${folder}`)
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
    await client.cd(folder).catch(() => { throw isMissing(error) ? notMade(folder, error) : error })
  }
}

const notMade = (folder: string, error: FTPError) => new CardProblem('not_writable', 'The printer cannot create ' +
  `${folder}/: the card may be write-protected or missing (${error.message})`, { cause: error })

export async function rename ({ line }: WalkDeps, from: string, to: string, { signal }: CardCall): Promise<void> {
  await line.use({
    what: `Renaming ${from}`,
    signal,
    attempts: 1, // after a lost answer nobody knows under which name it is
    async run (client) {
      await unlessProtected(client, from, client.send(`RNFR ${from}`))
      await client.send(`RNTO ${to}`)
    }
  })
}

export async function remove ({ line }: WalkDeps, path: string, { signal }: CardCall): Promise<void> {
  await line.use({
    what: `Deleting ${path}`,
    signal,
    run: (client, attempt) => gone(attempt, unlessProtected(client, path, client.send(`DELE ${path}`)))
  })
}

export async function removeFolder (deps: WalkDeps, path: string, { signal }: CardCall): Promise<void> {
  await deps.line.use({
    what: `Deleting ${path}/`,
    signal,
    run: (client, attempt) => gone(attempt, clear(client, path, deps))
  })
}

async function clear (client: Client, folder: string, deps: WalkDeps): Promise<void> {
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

async function empty (client: Client, folder: string, deps: WalkDeps, options = ''): Promise<void> {
  for (const { name, isFolder } of await listFolder(client, folder, deps, options)) {
    const path = below(folder, name)
    if (isFolder) await clear(client, path, deps)
    else await unlessProtected(client, path, client.send(`DELE ${path}`))
  }
}
