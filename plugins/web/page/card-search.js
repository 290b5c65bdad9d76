const wordsOf = text => text.toLowerCase().split(/\s+/).filter(word => word !== '')
const nodesOf = node => (node.children ?? []).flatMap(child => [child, ...nodesOf(child)])

/** More rows would not help and slow down the page. */
export const MOST_FOUND = 200

/**
 * Files and folders whose path contains every word, ignoring case; undefined without a search text.
 * @returns {{ count: number, nodes: { id: string, name: string, where: string }[] } | undefined}
 */
export function searched (tree, text) {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  const hits = nodesOf(tree).filter(({ id }) => words.every(word => id.toLowerCase().includes(word)))
  const whereOf = ({ id }) => id.slice(0, id.replace(/\/$/, '').lastIndexOf('/') + 1)
  return { count: hits.length, nodes: hits.slice(0, MOST_FOUND).map(node => ({ ...node, where: whereOf(node) })) }
}
