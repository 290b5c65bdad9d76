import { Type } from 'typebox'
import { BadInput, tool } from '../../core/index.js'
import { createFolder, deleteEntry, renameEntry } from './operations/change.js'
import { findEntry, found, listFiles } from './operations/read.js'
import { downloadFile, uploadFile } from './operations/transfer.js'
import { Contents, Node } from './schemas.js'
import { findNode } from './tree.js'
import { listingPage, treePagesOf } from './tree-pages.js'
import type { CardNode } from './types.js'

const USUAL_PAGE = 50
const ON_CARD = 'Path'
const ON_HOST = 'On the host'
const NEXT = { cursor: Type.Optional(Type.String()) }

const DONE = { success: Type.Boolean() }
const { children: _children, ...Entry } = Node.properties
/** In all, where a long answer comes in pages. */
const TOTAL = { total: Type.Optional(Type.Integer()) }
const CHANGED = {
  contents: Type.Union([Node, Type.Null()], { description: 'null: the card could not be listed, or holds too much to be repeated, see note' }),
  note: Type.Optional(Type.String())
}
const ENTRY = { entry: Type.Union([Type.Object(Entry), Type.Null()]) }

/** Length up to which agents get the whole tree; after a change of a larger card they only get the entry. */
const SMALL_TREE_CHARS = 10_000

/** The new entry, and the card's current contents if those are short. */
const changed = (contents: Contents['contents'], path: unknown) =>
  ({ entry: entryAt(contents as CardNode | null, String(path)), ...briefly(contents) })

function entryAt (contents: CardNode | null, path: string): Omit<CardNode, 'children'> | null {
  const wanted = path.replace(/\/+$/, '')
  const node = contents ? findNode(contents, ({ id }) => id.replace(/\/$/, '') === wanted) : undefined
  if (node === undefined) return null
  const { children: _, ...entry } = node
  return entry
}

/** The card's current contents if those are short. */
function briefly (contents: Contents['contents']) {
  if (contents === null || JSON.stringify(contents).length <= SMALL_TREE_CHARS) return { contents }
  return { contents: null, note: 'Done. The card holds too much to be repeated here: list_sdcard_files shows it.' }
}

function modeOf (mode: string | undefined): '3mf' | 'full' {
  const word = (mode ?? 'full').trim().toLowerCase()
  if (word !== 'full' && word !== '3mf') throw new BadInput(`Unknown mode '${mode}'. Must be 'full' or '3mf'.`)
  return word
}

export default [
  tool(listFiles, {
    name: 'refresh_sdcard',
    title: 'Refresh SD Card',
    description: 'List the card again and keep the listing',
    closedWorld: false,
    doing: 'refreshing SD card on <name>',
    params: Type.Object({ mode: Type.Optional(Type.String({ description: 'full or 3mf', default: 'full' })) }),
    input: ({ mode }) => ({ only3mf: modeOf(mode) === '3mf' }),
    answer: Type.Object({ ...DONE, mode: Type.Enum(['3mf', 'full']), printer: Type.String() }),
    result: (_, { mode }, printer) => ({ success: true, mode: modeOf(mode), printer })
  }),
  tool(findEntry, {
    name: 'list_sdcard_files',
    title: 'List SD Card Files',
    description: 'Files and folders below a path; with search or limit a plain list',
    closedWorld: false,
    pages: treePagesOf('contents'),
    params: Type.Object({
      path: Type.Optional(Type.String({ default: '/', description: 'Path or name' })),
      search: Type.Optional(Type.String({ description: 'Words of the path' })),
      cached: Type.Optional(Type.Boolean({ default: false, description: 'Use the last listing' })),
      only_3mf: Type.Optional(Type.Boolean({ default: false, description: 'Projects only' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Most entries' })),
      ...NEXT
    }),
    input: ({ path = '/', cached, only_3mf: only3mf = false }) => ({
      id: path, name: path, cached: cached === true, only3mf
    }),
    answer: Type.Object({
      path: Type.String(),
      contents: Type.Optional(Node),
      entries: Type.Optional(Type.Array(Type.Object(Entry), { description: 'With search or limit' })),
      ...TOTAL
    }),
    result (answer, { path = '/', search, cursor, limit }) {
      const contents = found(answer, `Path not found: ${path}`, { path })
      if (limit === undefined && search === undefined) return { path, contents }
      const page = listingPage(contents as CardNode, { search, cursor, limit: limit ?? USUAL_PAGE })
      return { path, ...page, entries: [...page.entries] }
    }
  }),
  tool(findEntry, {
    name: 'get_file_info',
    title: 'Get File Info',
    description: 'A file or folder by path or name',
    closedWorld: false,
    pages: treePagesOf('file'),
    params: Type.Object({ file_path: Type.String({ description: 'Path or name' }), ...NEXT }),
    input: ({ file_path: path }) => ({ id: path, name: path }),
    answer: Type.Object({ file: Node, ...TOTAL }),
    result: (answer, { file_path: path }) => ({ file: found(answer, `File not found: ${path}`) })
  }),
  tool(findEntry, {
    name: 'get_3mf_entry_by_id',
    title: 'Get 3MF Entry By ID',
    description: 'A project or folder by its full path',
    closedWorld: false,
    pages: treePagesOf('entry'),
    params: Type.Object({ target_id: Type.String({ description: 'Full path' }), ...NEXT }),
    input: ({ target_id: id }) => ({ id, only3mf: true }),
    answer: Type.Object({ entry: Node, ...TOTAL }),
    result: (answer, { target_id: id }) => ({ entry: found(answer, `Not found: ${id}`) })
  }),
  tool(findEntry, {
    name: 'get_3mf_entry_by_name',
    title: 'Get 3MF Entry By Name',
    description: 'The first project or folder of that name',
    closedWorld: false,
    pages: treePagesOf('entry'),
    params: Type.Object({ target_name: Type.String({ description: 'Its whole name' }), ...NEXT }),
    input: ({ target_name: name }) => ({ name, only3mf: true }),
    answer: Type.Object({ entry: Node, ...TOTAL }),
    result: (answer, { target_name: name }) => ({ entry: found(answer, `Not found: ${name}`) })
  }),
  tool(createFolder, {
    name: 'create_folder',
    doing: 'creating folder on <name>',
    answer: Type.Object({ ...DONE, path: Type.String(), ...ENTRY, ...CHANGED }),
    result: ({ contents }, { path }) => ({ success: true, path: String(path), ...changed(contents, path) })
  }),
  tool(deleteEntry, {
    name: 'delete_file',
    doing: 'deleting file on <name>',
    params: Type.Object({ remote_path: Type.String({ description: 'A folder ends in /' }) }),
    input: ({ remote_path: path }) => ({ path }),
    answer: Type.Object({ ...DONE, remote_path: Type.String(), ...CHANGED }),
    result: ({ contents }, { remote_path: path }) =>
      ({ success: true, remote_path: path, ...briefly(contents) })
  }),
  tool(renameEntry, {
    name: 'rename_sdcard_file',
    title: 'Rename SD Card File',
    doing: 'renaming file on <name>',
    params: Type.Object({
      src_path: Type.String({ description: ON_CARD }), dest_path: Type.String({ description: 'The new path' })
    }),
    input: ({ src_path: from, dest_path: to }) => ({ from, to }),
    answer: Type.Object({ ...DONE, src_path: Type.String(), dest_path: Type.String() }),
    result: (_, paths) => ({ success: true, ...paths })
  }),
  tool(uploadFile, {
    name: 'upload_file',
    doing: 'uploading file',
    params: Type.Object({
      local_path: Type.String({ description: ON_HOST }),
      remote_path: Type.String({ description: ON_CARD }),
      to_print: Type.Optional(Type.Boolean({
        description: 'true: refused when nothing in it can be printed; false: copied whatever it is; left out: models, bare ' +
          'G-code, and broken or unsliced projects are refused'
      }))
    }),
    input: ({ local_path: source, remote_path: path, to_print: toPrint }) =>
      ({ source, path, ...(toPrint !== undefined && { toPrint }) }),
    answer: Type.Object({
      ...DONE, remote_path: Type.String(), warning: Contents.properties.warning, ...ENTRY, ...CHANGED
    }),
    result: ({ contents, warning }, { remote_path: path }) =>
      ({ success: true, remote_path: path, ...(warning !== undefined && { warning }), ...changed(contents, path) })
  }),
  tool(downloadFile, {
    name: 'download_file',
    doing: 'downloading file from <name>',
    params: Type.Object({
      remote_path: Type.String({ description: ON_CARD }), local_path: Type.String({ description: ON_HOST })
    }),
    input: ({ remote_path: path, local_path: target }) => ({ path, target }),
    answer: Type.Object({ ...DONE, remote_path: Type.String(), local_path: Type.String() }),
    result: (_, paths) => ({ success: true, ...paths })
  })
]
