const wordsOf = text => text.toLowerCase().split(/\s+/).filter(word => word !== '')
const nodesOf = node => (node.children ?? []).flatMap(child => [child, ...nodesOf(child)])

/** A wall of rows helps nobody and makes the page slow. */
export const MOST_FOUND = 200

/**
 * Files and folders whose path has every word, without regard to case; undefined while nothing is searched.
 * @returns {{ count: number, nodes: { id: string, name: string, where: string }[] } | undefined}
 */
export function searched (tree, text) {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  const hits = nodesOf(tree).filter(({ id }) => words.every(word => id.toLowerCase().includes(word)))
  const whereOf = ({ id }) => id.slice(0, id.replace(/\/$/, '').lastIndexOf('/') + 1)
  return { count: hits.length, nodes: hits.slice(0, MOST_FOUND).map(node => ({ ...node, where: whereOf(node) })) }
}
