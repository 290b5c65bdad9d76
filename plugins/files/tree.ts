import { parentOf } from '../../core/index.js'
import type { CardEntry, Listings } from './types.js'

/** A file or folder as callers see it. Folders' ids end in a slash and they alone have children. */
export interface CardNode {
  readonly id: string
  readonly name: string
  /** s since the epoch; 0 when the printer gave no date. Not of the root. */
  readonly timestamp?: number
  readonly size?: number
  readonly children?: readonly CardNode[]
}

const compare = new Intl.Collator('en', { sensitivity: 'base' }).compare
/** Folders first, then by name without regard to case. */
const order = (a: CardEntry, b: CardEntry): number => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name)

const is3mf = ({ name }: CardEntry): boolean => /\.3mf$/i.test(name)
/** What remains of a card when only projects are looked at; folders stay, empty ones too. */
export const only3mf = (entries: readonly CardEntry[]): readonly CardEntry[] =>
  entries.filter(entry => entry.isFolder || is3mf(entry))

/** Builds the tree of a listing. */
export function treeOf (entries: readonly CardEntry[]): CardNode {
  const below = new Map<string, CardEntry[]>()
  for (const entry of entries) {
    const parent = parentOf(entry.path)
    const siblings = below.get(parent)
    if (siblings) siblings.push(entry)
    else below.set(parent, [entry])
  }
  const childrenOf = (path: string): CardNode[] => (below.get(path) ?? []).sort(order).map(nodeOf)
  const nodeOf = ({ path, name, size, isFolder, modifiedAt = 0 }: CardEntry): CardNode => {
    const timestamp = Math.floor(modifiedAt / 1000)
    return isFolder ? { id: `${path}/`, name, timestamp, children: childrenOf(path) } : { id: path, name, timestamp, size }
  }
  return { id: '/', name: '/', children: childrenOf('/') }
}

const built = new WeakMap<readonly CardEntry[], Listings>()

/** Both trees of a listing, built once. */
export function listingsOf (entries: readonly CardEntry[]): Listings {
  const known = built.get(entries)
  if (known) return known
  const listings = { all: treeOf(entries), projects: treeOf(only3mf(entries)) }
  built.set(entries, listings)
  return listings
}

/** The first node, depth first, that passes. */
export function findNode (node: CardNode, passes: (node: CardNode) => boolean): CardNode | undefined {
  if (passes(node)) return node
  for (const child of node.children ?? []) {
    const found = findNode(child, passes)
    if (found) return found
  }
  return undefined
}

/** The listing without an entry and what is below it. */
export const without = (entries: readonly CardEntry[], gone: string): readonly CardEntry[] =>
  entries.filter(({ path }) => path !== gone && !path.startsWith(`${gone}/`))
