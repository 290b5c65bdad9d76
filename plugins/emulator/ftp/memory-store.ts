import { baseOf, parentOf, type CardStore, type Named, type Stat } from '../../printer-servers/index.js'

interface Node { isFolder: boolean, chunks: Buffer[], size: number, modifiedAt: number }

const SLICE_BYTES = 256 * 1024

/** A card in memory. @param now its clock, ms since the epoch */
export function createMemoryStore (now: () => number): CardStore {
  const nodes = new Map<string, Node>([['/', folder(now())]])
  const statOf = ({ isFolder, size, modifiedAt }: Node): Stat => ({ isFolder, size, modifiedAt })
  const childrenOf = (path: string) => [...nodes].filter(([at]) => at !== '/' && parentOf(at) === path)

  function need (path: string, isFolder: boolean): Node {
    const node = nodes.get(path)
    if (node?.isFolder !== isFolder) throw new Error(`no such ${isFolder ? 'folder' : 'file'}: ${path}`)
    return node
  }

  return {
    async stat (path) {
      const node = nodes.get(path)
      return node && statOf(node)
    },
    async list (path) {
      need(path, true)
      return childrenOf(path).map(([at, node]): Named => ({ name: baseOf(at), ...statOf(node) }))
    },
    async * read (path, start) {
      let skip = start
      for (const chunk of [...need(path, false).chunks]) {
        for (let at = Math.min(skip, chunk.length); at < chunk.length; at += SLICE_BYTES) {
          yield chunk.subarray(at, at + SLICE_BYTES)
        }
        skip = Math.max(0, skip - chunk.length)
      }
    },
    async write (path) {
      need(parentOf(path), true)
      if (nodes.get(path)?.isFolder === true) throw new Error(`a folder: ${path}`)
      const node: Node = { isFolder: false, chunks: [], size: 0, modifiedAt: now() }
      nodes.set(path, node)
      return {
        async write (chunk) {
          node.chunks.push(Buffer.from(chunk))
          node.size += chunk.length
        },
        async end () { node.modifiedAt = now() }
      }
    },
    async touch (path, modifiedAt) {
      const node = nodes.get(path)
      if (node) node.modifiedAt = modifiedAt
    },
    async remove (path) {
      need(path, false)
      nodes.delete(path)
    },
    async makeFolder (path) {
      need(parentOf(path), true)
      if (nodes.has(path)) throw new Error(`exists: ${path}`)
      nodes.set(path, folder(now()))
    },
    async removeFolder (path) {
      need(path, true)
      if (path === '/' || childrenOf(path).length > 0) throw new Error(`not empty: ${path}`)
      nodes.delete(path)
    },
    async rename (from, to) {
      if (from === '/' || to === from || to.startsWith(`${from}/`)) throw new Error(`cannot move ${from} there`)
      if (nodes.get(to)?.isFolder === true) throw new Error(`a folder: ${to}`)
      need(parentOf(to), true)
      const moved = [...nodes].filter(([at]) => at === from || at.startsWith(`${from}/`))
      if (moved.length === 0) throw new Error(`no such file or folder: ${from}`)
      for (const [at] of moved) nodes.delete(at)
      for (const [at, node] of moved) nodes.set(to + at.slice(from.length), node)
    },
    used: async () => [...nodes.values()].reduce((sum, { size }) => sum + size, 0)
  }
}

const folder = (modifiedAt: number): Node => ({ isFolder: true, chunks: [], size: 0, modifiedAt })
