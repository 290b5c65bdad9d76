import { baseOf, parentOf, type Named, type Stat } from '../../printer-servers/index.js'
import type { Client } from '../options.js'

/** A file that a client sent to a group. */
export interface Upload {
  readonly size: number
  /** ms since the epoch. */
  readonly modifiedAt: number
  /** Id of the file in the library; undefined for files other than projects, whose content was discarded. */
  readonly file: string | undefined
}

const MOST = 100
/** The folders of a printer's card. */
const FOLDERS = ['/', '/cache', '/model', '/image', '/timelapse']

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // the percent sign is part of the name
  }
}

/** The content of a group's card for one client: its own latest uploads. */
export function createUploads () {
  const uploads = new Map<string, Upload>()

  const folders = (): Set<string> => {
    const found = new Set(FOLDERS)
    for (const path of uploads.keys()) {
      for (let at = parentOf(path); at !== '/'; at = parentOf(at)) found.add(at)
    }
    return found
  }
  const folder: Stat = { isFolder: true, size: 0, modifiedAt: 0 }
  const statOf = ({ size, modifiedAt }: Upload): Stat => ({ isFolder: false, size, modifiedAt })

  return {
    add (path: string, upload: Upload): void {
      uploads.delete(path)
      uploads.set(path, upload)
      const [oldest] = uploads.keys()
      if (uploads.size > MOST && oldest !== undefined) uploads.delete(oldest)
    },
    /** By the literal path, or by the percent-decoded one. */
    find: (path: string): Upload | undefined => uploads.get(path) ?? uploads.get(decoded(path)),
    stat (path: string): Stat | undefined {
      const upload = uploads.get(path)
      if (upload !== undefined) return statOf(upload)
      return folders().has(path) ? folder : undefined
    },
    list: (path: string): Named[] => [
      ...[...folders()].filter(one => one !== '/' && parentOf(one) === path).map(one => ({ name: baseOf(one), ...folder })),
      ...[...uploads].filter(([one]) => parentOf(one) === path)
        .map(([one, upload]) => ({ name: baseOf(one), ...statOf(upload) }))
    ],
    remove: (path: string): boolean => uploads.delete(path)
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** The uploads of each client, which go with it. */
export function uploadsByClient (): (client: Client) => Uploads {
  const all = new WeakMap<Client, Uploads>()
  return client => {
    const own = all.get(client) ?? createUploads()
    all.set(client, own)
    return own
  }
}
