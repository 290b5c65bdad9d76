import { Type } from 'typebox'
import { BadInput, tool } from '../../core/index.js'
import { createFolder, deleteEntry, renameEntry } from './operations/change.js'
import { findEntry, found, listFiles } from './operations/read.js'
import type { CardNode } from './types.js'
import { downloadFile, uploadFile } from './operations/transfer.js'

type ListedFile = Pick<CardNode, 'id' | 'name' | 'timestamp' | 'size'>

interface ListingPage {
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
function pageOf (folder: CardNode, limit: number, cursor = ''): ListingPage {
  const files = filesOf(folder).sort((a, b) => a.id < b.id ? -1 : 1)
  if (cursor !== '' && !cursor.startsWith('/')) {
    throw new BadInput(`Unknown cursor '${cursor}': take the next_cursor of the page before`)
  }
  const rest = files.filter(({ id }) => id > cursor)
  const entries = rest.slice(0, limit)
  const last = entries.at(-1)
  return { entries, total: files.length, ...(last !== undefined && rest.length > limit && { next_cursor: last.id }) }
}

const USUAL_PAGE = 50
const FOLDER_IDS = 'folders end in /'

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
    result: (_, { mode }, printer) => ({ success: true, mode: modeOf(mode), printer })
  }),
  tool(findEntry, {
    name: 'list_sdcard_files',
    title: 'List SD Card Files',
    description: 'Files and folders below a path; with limit a page of its files',
    closedWorld: false,
    less: 'a path, a limit, or only_3mf',
    params: Type.Object({
      path: Type.Optional(Type.String({ default: '/', description: `Path or name, ${FOLDER_IDS}` })),
      cached: Type.Optional(Type.Boolean({ default: false, description: 'Use the last listing' })),
      only_3mf: Type.Optional(Type.Boolean({ default: false })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before' }))
    }),
    input: ({ path = '/', cached, only_3mf: only3mf = false }) => ({ id: path, name: path, cached: cached === true, only3mf }),
    result ({ entry }, { path = '/', cursor, limit = cursor === undefined ? undefined : USUAL_PAGE }) {
      const contents = found(entry, `Path not found: ${path}`, { path })
      return limit === undefined ? { path, contents } : { path, ...pageOf(contents as CardNode, limit, cursor) }
    }
  }),
  tool(findEntry, {
    name: 'get_file_info',
    title: 'Get File Info',
    description: 'A file or folder by path or name',
    closedWorld: false,
    params: Type.Object({ file_path: Type.String({ description: FOLDER_IDS }) }),
    input: ({ file_path: path }) => ({ id: path, name: path }),
    result: ({ entry }, { file_path: path }) => ({ file: found(entry, `File not found: ${path}`) })
  }),
  tool(findEntry, {
    name: 'get_3mf_entry_by_id',
    title: 'Get 3MF Entry By ID',
    description: 'A project or folder by its full path',
    closedWorld: false,
    params: Type.Object({ target_id: Type.String({ description: FOLDER_IDS }) }),
    input: ({ target_id: id }) => ({ id, only3mf: true }),
    result: ({ entry }, { target_id: id }) => ({ entry: found(entry, `Not found: ${id}`) })
  }),
  tool(findEntry, {
    name: 'get_3mf_entry_by_name',
    title: 'Get 3MF Entry By Name',
    description: 'The first project or folder of that name',
    closedWorld: false,
    params: Type.Object({ target_name: Type.String() }),
    input: ({ target_name: name }) => ({ name, only3mf: true }),
    result: ({ entry }, { target_name: name }) => ({ entry: found(entry, `Not found: ${name}`) })
  }),
  tool(createFolder, {
    name: 'create_folder',
    doing: 'creating folder on <name>',
    result: ({ contents }, { path }) => ({ success: true, path, contents })
  }),
  tool(deleteEntry, {
    name: 'delete_file',
    doing: 'deleting file on <name>',
    params: Type.Object({ remote_path: Type.String({ description: 'folders end in /' }) }),
    input: ({ remote_path: path }) => ({ path }),
    result: ({ contents }, { remote_path: path }) => ({ success: true, remote_path: path, contents })
  }),
  tool(renameEntry, {
    name: 'rename_sdcard_file',
    title: 'Rename SD Card File',
    doing: 'renaming file on <name>',
    params: Type.Object({ src_path: Type.String(), dest_path: Type.String() }),
    input: ({ src_path: from, dest_path: to }) => ({ from, to }),
    result: (_, paths) => ({ success: true, ...paths })
  }),
  tool(uploadFile, {
    name: 'upload_file',
    doing: 'uploading file',
    params: Type.Object({ local_path: Type.String(), remote_path: Type.String() }),
    input: ({ local_path: source, remote_path: path }) => ({ source, path }),
    result: ({ contents }, { remote_path: path }) => ({ success: true, remote_path: path, contents })
  }),
  tool(downloadFile, {
    name: 'download_file',
    doing: 'downloading file from <name>',
    params: Type.Object({ remote_path: Type.String(), local_path: Type.String() }),
    input: ({ remote_path: path, local_path: target }) => ({ path, target }),
    result: (_, paths) => ({ success: true, ...paths })
  })
]
