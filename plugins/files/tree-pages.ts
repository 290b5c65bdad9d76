import { unknownCursor, type Pager } from '../../core/index.js'
import type { CardNode } from './types.js'

/** Files and empty folders. */
const leavesOf = (node: CardNode): CardNode[] =>
  (node.children ?? []).length === 0 ? [node] : (node.children ?? []).flatMap(leavesOf)

/** By path, so that an entry added or deleted between two pages moves no other. */
const inOrder = (nodes: readonly CardNode[]): CardNode[] => [...nodes].sort((a, b) => a.id < b.id ? -1 : 1)

/** The tree with only these leaves, and the folders around them. */
function onlyWith (node: CardNode, leaves: ReadonlySet<CardNode>): CardNode {
  if (node.children === undefined) return node
  const isShown = (child: CardNode): boolean => leaves.has(child) || leavesOf(child).some(leaf => leaves.has(leaf))
  return { ...node, children: node.children.filter(isShown).map(child => onlyWith(child, leaves)) }
}

/** A folder contains its name once, and every path below repeats it. */
const FOLDER_CHARS = 80

function fitting (leaves: readonly CardNode[], mostChars: number): CardNode[] {
  const folders = new Set<string>()
  let left = mostChars
  return leaves.filter((leaf, at) => {
    const folder = leaf.id.slice(0, leaf.id.replace(/\/$/, '').lastIndexOf('/') + 1)
    left -= JSON.stringify(leaf).length + 1 + (folders.has(folder) ? 0 : FOLDER_CHARS + 2 * folder.length)
    folders.add(folder)
    return at === 0 || left >= 0
  })
}

/**
 * Pages of a tree: the first files that fit with the folders around them, the `total`, and where the rest begins.
 * @param member the member of the answer that contains the tree
 */
export const treePagesOf = (member: string): Pager => (answer, cursor, mostChars) => {
  const { [member]: tree, ...others } = answer as Readonly<Record<string, unknown>>
  const root = tree as CardNode | undefined
  const isWhole = cursor === undefined && JSON.stringify(answer).length <= mostChars
  if (root?.children === undefined || isWhole) return answer
  if (cursor?.startsWith('/') === false) throw unknownCursor(cursor)
  const all = inOrder(leavesOf(root))
  const rest = all.filter(({ id }) => cursor === undefined || id > cursor)
  const shown = fitting(rest, mostChars - 2 * FOLDER_CHARS - JSON.stringify(others).length)
  const last = shown.at(-1)
  return {
    ...others,
    [member]: onlyWith(root, new Set(shown)),
    total: all.length,
    ...(last !== undefined && shown.length < rest.length && { next_cursor: last.id })
  }
}

export interface ListingPage {
  readonly entries: readonly Omit<CardNode, 'children'>[]
  /** In all. */
  readonly total: number
  /** Where the next page begins; absent on the last one. */
  readonly next_cursor?: string
}

const filesOf = (node: CardNode): CardNode[] => node.children === undefined ? [node] : node.children.flatMap(filesOf)
const nodesOf = (node: CardNode): CardNode[] => [node, ...(node.children ?? []).flatMap(nodesOf)]
const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(word => word !== '')

/** Files and folders below a folder whose path contains all these words, case-insensitively. */
function matching (folder: CardNode, search: string): CardNode[] {
  const words = wordsOf(search)
  return nodesOf(folder).filter(({ id }) => {
    const below = id.slice(folder.id.length).toLowerCase()
    return below !== '' && words.every(word => below.includes(word))
  })
}

/**
 * Files below a folder, at any depth, by path; with `search`, files and folders whose path matches.
 * @param cursor of the previous page: the path of its last entry
 */
export function listingPage (folder: CardNode, { limit, cursor = '', search }: {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string | undefined
}): ListingPage {
  const found = inOrder(search === undefined ? filesOf(folder) : matching(folder, search))
  if (cursor !== '' && !cursor.startsWith('/')) throw unknownCursor(cursor)
  const rest = found.filter(({ id }) => id > cursor)
  const entries = rest.slice(0, limit).map(({ children: _, ...entry }) => entry)
  const last = entries.at(-1)
  return { entries, total: found.length, ...(last !== undefined && rest.length > limit && { next_cursor: last.id }) }
}
