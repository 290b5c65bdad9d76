import { BadInput } from '../../core/index.js'
import type { CardNode } from './types.js'

export type ListedFile = Pick<CardNode, 'id' | 'name' | 'timestamp' | 'size'>

export interface ListingPage {
  readonly entries: readonly ListedFile[]
  /** Files in all. */
  readonly total: number
  /** Where the next page begins; absent on the last one. */
  readonly next_cursor?: string
}

const filesOf = (node: CardNode): ListedFile[] => node.children === undefined ? [node] : node.children.flatMap(filesOf)

/**
 * Some of the files below a folder, at any depth, by path. What is added or deleted between two pages moves no other
 * file.
 * @param cursor of the page before: the path of its last file
 */
export function pageOf (folder: CardNode, limit: number, cursor = ''): ListingPage {
  const files = filesOf(folder).sort((a, b) => a.id < b.id ? -1 : 1)
  if (cursor !== '' && !cursor.startsWith('/')) {
    throw new BadInput(`Unknown cursor '${cursor}': take the next_cursor of the page before`)
  }
  const rest = files.filter(({ id }) => id > cursor)
  const entries = rest.slice(0, limit)
  const last = entries.at(-1)
  return { entries, total: files.length, ...(last !== undefined && rest.length > limit && { next_cursor: last.id }) }
}
