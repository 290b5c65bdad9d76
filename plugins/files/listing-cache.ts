import { nameOf, parentOf, type PrinterSession } from '../../core/index.js'
import { isDeepStrictEqual } from 'node:util'
import { only3mf, treeOf } from './tree.js'
import type { CardEntry, Listings } from './types.js'

/** What lay on each printer's card when it was listed last, corrected by what was done with it since. */
export interface ListingCache {
  get (session: PrinterSession): readonly CardEntry[] | undefined
  /** The same as trees, built when they are asked for; the same object until the listing changes. */
  trees (session: PrinterSession): Listings | undefined
  set (session: PrinterSession, entries: readonly CardEntry[]): void
  /** What is at this path now; undefined: nothing. The folders above an entry are there too. */
  update (session: PrinterSession, path: string, entry: CardEntry | undefined): void
  /** The entry has another path, and so has what is below it. */
  move (session: PrinterSession, from: string, to: string): void
  /** The entry is gone with what was below it. */
  remove (session: PrinterSession, path: string): void
  forget (session: PrinterSession): void
}

interface Listing { readonly entries: readonly CardEntry[], trees?: Listings }

export function createListingCache (): ListingCache {
  const listings = new Map<string, Listing>()

  const set = ({ name }: PrinterSession, entries: readonly CardEntry[]): void => {
    if (listings.get(name)?.entries !== entries) listings.set(name, { entries })
  }
  const get = ({ name }: PrinterSession) => listings.get(name)?.entries

  function change (session: PrinterSession, work: (entries: readonly CardEntry[]) => readonly CardEntry[]): void {
    const entries = get(session)
    if (entries) set(session, work(entries))
  }

  return {
    get,
    set,
    trees ({ name }) {
      const listing = listings.get(name)
      return listing && (listing.trees ??= { all: treeOf(listing.entries), projects: treeOf(only3mf(listing.entries)) })
    },
    update (session, path, entry) {
      change(session, entries => updated(entries, path, entry))
    },
    move: (session, from, to) => change(session, entries => entries.map(entry => moved(entry, from, to))),
    remove: (session, path) => change(session, entries => without(entries, path)),
    forget: ({ name }) => { listings.delete(name) }
  }
}

/** The listing without an entry and what is below it. */
const without = (entries: readonly CardEntry[], gone: string): readonly CardEntry[] =>
  entries.filter(({ path }) => path !== gone && !path.startsWith(`${gone}/`))

/** The same listing when nothing has changed. */
function updated (entries: readonly CardEntry[], path: string, entry: CardEntry | undefined): readonly CardEntry[] {
  const known = entries.find(known => known.path === path)
  if (isDeepStrictEqual(known, entry)) return entries
  if (entry === undefined) return without(entries, path)
  if (known) return entries.map(one => one === known ? entry : one)
  return [...entries, ...foldersAbove(path).filter(({ path }) => entries.every(one => one.path !== path)), entry]
}

function foldersAbove (path: string): CardEntry[] {
  const parent = parentOf(path)
  const folder = { name: nameOf(parent), path: parent, size: 0, isFolder: true, modifiedAt: undefined }
  return parent === '/' ? [] : [...foldersAbove(parent), folder]
}

function moved (entry: CardEntry, from: string, to: string): CardEntry {
  if (entry.path !== from && !entry.path.startsWith(`${from}/`)) return entry
  const path = to + entry.path.slice(from.length)
  return { ...entry, path, name: nameOf(path) }
}
