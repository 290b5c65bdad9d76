import { Type } from 'typebox'
import { NotFound, operation, type PrinterContext } from '../../../core/index.js'
import { CardFailed, FileMissing, ListingFailed, nothingListed, SpoolFull } from '../errors.js'
import { CardPath, Contents, Node } from '../schemas.js'
import { findNode, only3mf, treeOf } from '../tree.js'
import type { CardNode } from '../types.js'

interface Wanted { readonly only3mf?: boolean | undefined, readonly cached?: boolean | undefined }

/** The tree, listed now unless the cached one is wanted; null if there is none. */
async function readTree ({ session, services: { files }, signal }: PrinterContext, wanted: Wanted):
Promise<CardNode | null> {
  const entries = wanted.cached === true ? files.cached(session) : await files.list(session, { refresh: true, signal })
  if (entries === undefined) return null
  return treeOf(wanted.only3mf === true ? only3mf(entries) : entries)
}

const Which = {
  only3mf: Type.Optional(Type.Boolean({ description: 'Projects only' })),
  cached: Type.Optional(Type.Boolean({ description: 'The last listing, without asking the printer' }))
}

export const listFiles = operation({
  name: 'files.list',
  summary: 'Everything on the card',
  effect: 'read',
  input: Type.Object(Which),
  output: Contents,
  errors: [ListingFailed],
  run: async (context, input) => ({ contents: await readTree(context, input) as Contents['contents'] })
})

/** Folders match by their id with its trailing slash; the first match in tree order wins. */
export const findEntry = operation({
  name: 'files.find',
  summary: 'A file or folder by its path or name',
  effect: 'read',
  input: Type.Object({
    ...Which,
    id: Type.Optional(CardPath),
    name: Type.Optional(Type.String({ description: 'Exact name' }))
  }),
  output: Type.Object({
    entry: Type.Union([Node, Type.Null()]),
    folder: Type.Optional(Type.String({ description: 'Id of the folder that would be found with a slash at the end' }))
  }),
  errors: [ListingFailed, NotFound],
  async run (context, { id, name, ...which }) {
    const tree = await readTree(context, which)
    if (tree === null) throw nothingListed()
    const entry = findNode(tree, node => node.id === id || node.name === name)
    if (entry !== undefined) return { entry: entry as never }
    const folder = id === undefined ? undefined : findNode(tree, node => node.id === `${id}/`)
    return { entry: null, ...(folder && { folder: folder.id }) }
  }
})

interface Found<T> { readonly entry: T | null, readonly folder?: string | undefined }

/** @throws PRN_ERR_NOT_FOUND with this message, and a hint where only the slash of a folder is missing */
export function found<T> ({ entry, folder }: Found<T>, message: string, extra: Record<string, unknown> = {}): T {
  const hint = folder === undefined ? {} : { hint: `Folders end in /: ${folder}` }
  if (entry === null) throw new NotFound(message).with({ ...extra, ...hint })
  return entry
}

export const readFile = operation({
  name: 'files.read',
  summary: 'A file from the card',
  effect: 'read',
  input: Type.Object({ path: CardPath }),
  output: Type.Unsafe<import('../types.js').CardStream>({ type: 'string', format: 'binary' }),
  errors: [CardFailed, FileMissing, SpoolFull],
  run: ({ session, services: { files }, signal, progress }, { path }) =>
    files.stream(session, path, { signal, onProgress: ({ bytes, total }) => progress(bytes, total) })
})
