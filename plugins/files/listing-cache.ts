import { nameOf, parentOf, type PrinterSession } from '../../core/index.js'
import { isDeepStrictEqual } from 'node:util'
import { only3mf, treeOf } from './tree.js'
import type { CardEntry, Listings } from './types.js'

/** The last listing of each printer's card, updated by changes made since. */
export interface ListingCache {
  get (session: PrinterSession): readonly CardEntry[] | undefined
  /** As trees, built on demand; the same object until the listing changes. */
  trees (session: PrinterSession): Listings | undefined
  set (session: PrinterSession, entries: readonly CardEntry[]): void
  /** Sets or removes the entry at a path. Missing folders above an entry are added. */
  update (session: PrinterSession, path: string, entry: CardEntry | undefined): void
  /** Moves an entry and everything below it. */
  move (session: PrinterSession, from: string, to: string): void
  /** Removes an entry and everything below it. */
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

/** The listing without an entry and everything below it. */
const without = (entries: readonly CardEntry[], gone: string): readonly CardEntry[] =>
  entries.filter(({ path }) => path !== gone && !path.startsWith(`${gone}/`))

/** Returns the same listing if nothing has changed. */
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
