import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { CardEntry } from './types.js'

/** Local copies of card files, the least used thrown out when they become too many bytes. */
export interface DownloadCache {
  /** The copy of exactly this file, made with `fill` when there is none. Callers at the same time share it. */
  take (serial: string, entry: CardEntry, fill: (path: string) => Promise<void>): Promise<string>
  /** Forgets all copies; for a fresh start. */
  sweep (): Promise<void>
}

const PARTIAL = /\.part$/

/** A file that was replaced has another size or time, and so another name here. */
const keyOf = (serial: string, { path, size, modifiedAt, changedAt }: CardEntry): string =>
  createHash('sha256').update(JSON.stringify([serial, path, size, modifiedAt, changedAt])).digest('hex').slice(0, 32)

/** @param mostBytes that all copies together may take */
export function createDownloadCache (folder: string, mostBytes: number): DownloadCache {
  const filling = new Map<string, Promise<string>>()

  async function make (key: string, bytes: number, fill: (path: string) => Promise<void>): Promise<string> {
    const path = join(folder, key)
    const now = new Date()
    if (await utimes(path, now, now).then(() => true, () => false)) return path
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await makeRoom(bytes)
    const fresh = `${path}.${randomBytes(4).toString('hex')}.part`
    try {
      await fill(fresh)
      await rename(fresh, path)
      return path
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    }
  }

  async function makeRoom (bytes: number): Promise<void> {
    const names = (await readdir(folder)).filter(name => !PARTIAL.test(name))
    const found = await Promise.all(names.map(async name => {
      const known = await stat(join(folder, name)).catch(() => undefined)
      return { name, size: known?.size ?? 0, usedAt: known?.mtimeMs ?? 0 }
    }))
    let total = bytes + found.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of found.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= mostBytes) return
      await rm(join(folder, name), { force: true })
      total -= size
    }
  }

  return {
    take (serial, entry, fill) {
      const key = keyOf(serial, entry)
      const current = filling.get(key) ?? make(key, entry.size, fill).finally(() => filling.delete(key))
      filling.set(key, current)
      return current
    },
    async sweep () {
      const names = await readdir(folder).catch(() => [])
      await Promise.all(names.filter(name => PARTIAL.test(name)).map(name => rm(join(folder, name), { force: true })))
    }
  }
}
