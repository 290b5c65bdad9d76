import { parentOf } from '../../core/index.js'
import type { CardEntry, CardNode } from './types.js'

const compare = new Intl.Collator('en', { sensitivity: 'base' }).compare
/** Folders first, then by name, case-insensitively. */
const order = (a: CardEntry, b: CardEntry): number => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name)

const is3mf = ({ name }: CardEntry): boolean => /\.3mf$/i.test(name)
/** The listing with projects only; folders stay, even empty ones. */
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

/** The first matching node, depth first. */
export function findNode (node: CardNode, passes: (node: CardNode) => boolean): CardNode | undefined {
  if (passes(node)) return node
  for (const child of node.children ?? []) {
    const found = findNode(child, passes)
    if (found) return found
  }
  return undefined
}
