import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toSafeFileName } from '../../core/index.js'

/** How a print ended, and the folder for its pictures. */
export const OUTCOMES = ['good', 'failing', 'unknown'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** At this many pictures of one print every second one is deleted, and from then on only half as many are taken. */
const MOST_PICTURES = 400
const MOST_PRINTS = 40
const RUNNING = 'running'

interface Collection { readonly name: string, pictures: string[], seen: number, every: number }

/**
 * Stores the pictures of prints on this machine, in folders by outcome as `npm run health:evaluate` reads them. Tasks
 * run one after the other; a failure is logged and does not stop the next.
 */
export function createCollector (folder: () => Promise<string>, now: () => number, warn: (message: string) => void) {
  const open = new Map<string, Collection>()
  let hasSwept = false
  let last: Promise<void> = Promise.resolve()

  /** How a print ended during which the service was restarted is unknown. */
  async function sweep (root: string): Promise<void> {
    const left = await readdir(join(root, RUNNING)).catch(() => [])
    if (left.length > 0) await mkdir(join(root, 'unknown'), { recursive: true, mode: 0o700 })
    for (const name of left) await rename(join(root, RUNNING, name), join(root, 'unknown', name))
    hasSwept = true
  }

  const inTurn = (work: (root: string) => Promise<void>): Promise<void> => {
    last = last.then(async () => {
      const root = join(await folder(), 'collected')
      if (!hasSwept) await sweep(root)
      await work(root)
    })
      .catch((error: Error) => warn(`Pictures cannot be collected: ${error.message}`))
    return last
  }

  function collectionOf (printer: string): Collection {
    const known = open.get(printer)
    if (known) return known
    const begun = new Date(now()).toISOString().replace(/[:.]/g, '-')
    const made = { name: `${begun}_${toSafeFileName(printer)}`, pictures: [], seen: 0, every: 1 }
    open.set(printer, made)
    return made
  }

  async function thin (collection: Collection, place: string): Promise<void> {
    const gone = collection.pictures.filter((_, at) => at % 2 === 1)
    collection.pictures = collection.pictures.filter((_, at) => at % 2 === 0)
    collection.every *= 2
    for (const name of gone) await rm(join(place, name), { force: true })
  }

  /** Deletes the oldest prints. */
  async function evict (root: string): Promise<void> {
    const all = await Promise.all(OUTCOMES.map(async outcome => {
      const names = await readdir(join(root, outcome)).catch(() => [])
      return names.map(name => ({ name, path: join(root, outcome, name) }))
    }))
    const old = all.flat().sort((a, b) => a.name < b.name ? 1 : -1).slice(MOST_PRINTS)
    for (const { path } of old) await rm(path, { recursive: true, force: true })
  }

  return {
    keep: (printer: string, jpeg: Uint8Array, percent: number): Promise<void> => inTurn(async root => {
      const collection = collectionOf(printer)
      if (collection.seen++ % collection.every !== 0) return
      const place = join(root, RUNNING, collection.name)
      await mkdir(place, { recursive: true, mode: 0o700 })
      const name = `${String(collection.seen).padStart(5, '0')}_${Math.round(percent)}.jpg`
      await writeFile(join(place, name), jpeg)
      collection.pictures.push(name)
      if (collection.pictures.length >= MOST_PICTURES) await thin(collection, place)
    }),
    end: (printer: string, outcome: Outcome): Promise<void> => inTurn(async root => {
      const collection = open.get(printer)
      open.delete(printer)
      if (!collection || collection.pictures.length === 0) return
      await mkdir(join(root, outcome), { recursive: true, mode: 0o700 })
      await rename(join(root, RUNNING, collection.name), join(root, outcome, collection.name))
      await evict(root)
    }),
    settled: (): Promise<void> => last
  }
}
export type Collector = ReturnType<typeof createCollector>
