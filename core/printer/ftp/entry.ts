import { FTPError, type Client } from 'basic-ftp'
import { parentOf } from './path.js'
import type { SdCardOptions, SdCardItem } from './types.js'
import { listFolder, type ListDeps } from './list-recursive.js'

/** Listings count in minutes, and in days once a file is old; some servers also tell the second. */
async function changedAtOf (client: Client, path: string): Promise<number | undefined> {
  const { message } = await client.sendIgnoringError(`MDTM ${path}`)
  const [, year, month, day, hour, minute, second] = /^213 (\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(message) ?? []
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return Number.isNaN(at) ? undefined : at
}

/** One file or folder as the server has it now; undefined when there is none. */
export async function look (deps: ListDeps, path: string, { signal }: SdCardOptions): Promise<SdCardItem | undefined> {
  const folder = parentOf(path)
  return await deps.line.use({
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
