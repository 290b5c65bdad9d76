import { FTPError, type Client } from 'basic-ftp'
import { below, parentOf } from './path.js'
import { listFolder, type WalkDeps } from './walk.js'
import type { CardCall } from './types.js'

const isMissing = (error: unknown): boolean => error instanceof FTPError && [450, 550].includes(error.code)

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
    await client.cd(folder).catch(() => { throw error })
  }
}

export async function rename ({ line }: WalkDeps, from: string, to: string, { signal }: CardCall): Promise<void> {
  await line.use({
    what: `Renaming ${from}`,
    signal,
    attempts: 1, // after a lost answer nobody knows under which name it is
    run: async client => { await client.rename(from, to) }
  })
}

export async function remove ({ line }: WalkDeps, path: string, { signal }: CardCall): Promise<void> {
  await line.use({
    what: `Deleting ${path}`,
    signal,
    run: (client, attempt) => gone(attempt, client.send(`DELE ${path}`))
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
    await client.send(`RMD ${folder}`)
  }
}

async function empty (client: Client, folder: string, deps: WalkDeps, options = ''): Promise<void> {
  for (const { name, isFolder } of await listFolder(client, folder, deps, options)) {
    const path = below(folder, name)
    if (isFolder) await clear(client, path, deps)
    else await client.send(`DELE ${path}`)
  }
}
