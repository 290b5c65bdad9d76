import { FTPError, type Client } from 'basic-ftp'
import type { ServerQuirks } from './server-quirks.js'
import type { FtpConnection } from './ftp-connection.js'
import { parseListing } from './listing.js'
import { SdCardError } from './sd-card-error.js'
import { LISTING_LIMIT, receive, type ReceiveOptions } from './receive.js'
import type { SdCardItem } from './types.js'

const MOST_ITEMS = 20_000
const DEEPEST = 16

export interface ListDeps {
  readonly connection: FtpConnection
  readonly quirks: ServerQuirks
  readonly receiving: () => Omit<ReceiveOptions, 'limit'>
  readonly now: () => number
}

interface Listed { readonly items: readonly SdCardItem[], readonly bytes: number }

const depthOf = (path: string) => path === '/' ? 0 : path.split('/').length - 1

/**
 * @param options of LIST, such as `-a`
 * @param limit of the server's data, bytes
 */
export async function listFolder (client: Client, folder: string, deps: ListDeps,
  { options = '', limit = LISTING_LIMIT } = {}): Promise<Listed> {
  await client.cd(folder) // servers answer LIST for a missing folder with an empty list, and read names as patterns
  const { bytes, isAll } = await receive(client, options === '' ? 'LIST' : `LIST ${options}`,
    { ...deps.receiving(), limit })
  if (!isAll) throw new SdCardError('too_much', `The listing of ${folder} is longer than the limit`)
  return { items: parseListing(bytes.toString('utf8'), folder, deps.now()), bytes: bytes.length }
}

/** A folder that the printer refuses to list counts as empty; only for the root it is an error. */
async function listOrSkip (client: Client, folder: string, deps: ListDeps, limit: number): Promise<Listed> {
  try {
    return await listFolder(client, folder, deps, { options: deps.quirks.listsHidden ? '-a' : '', limit })
  } catch (error) {
    if (error instanceof FTPError && [450, 550].includes(error.code) && folder !== '/') return { items: [], bytes: 0 }
    throw error
  }
}

/** Lists all folders. After a lost connection it resumes with the folder that was being listed. */
export async function listRecursive (deps: ListDeps, signal: AbortSignal | undefined): Promise<SdCardItem[]> {
  const items: SdCardItem[] = []
  const folders = ['/']
  let left = LISTING_LIMIT
  return await deps.connection.use({
    what: 'Listing the card',
    signal,
    async run (client) {
      for (let folder = folders.at(-1); folder !== undefined; folder = folders.at(-1)) {
        const { items: found, bytes } = await listOrSkip(client, folder, deps, left)
        left -= bytes
        folders.pop()
        items.push(...found)
        if (items.length > MOST_ITEMS) throw new SdCardError('too_much', `The card holds more than ${MOST_ITEMS} entries`)
        folders.push(...found.filter(({ isFolder, path }) => isFolder && depthOf(path) < DEEPEST)
          .map(({ path }) => path).reverse())
      }
      return items
    }
  })
}
