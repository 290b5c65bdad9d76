import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { BadInput, cardPath, ok, route } from '../../core/index.js'
import { createFolder, deleteEntry, renameEntry } from './operations/change.js'
import { findEntry, found, listFiles, readFile } from './operations/read.js'
import { uploadStored } from './operations/transfer.js'
import { Node, Tree } from './schemas.js'
import type { CardStream } from './types.js'

const tag = 'Files'
const Cached = Type.Object({ cached: Type.Optional(Type.Boolean({ description: 'The last listing; null when there is none' })) })
const BYTES = Type.Unsafe<string>({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })

const contents = ({ contents }: { contents: unknown }) => contents

function required (value: string | undefined, message: string): string {
  if (value === undefined || value === '') throw new BadInput(message)
  return value
}

/** The card itself cannot be deleted. */
const targetOf = (file: string | undefined): string => required(file === '/' ? '' : file, 'file is required')

/** A path on the card to read from: it must end in a file name and must not leave the card. */
function sourceOf (src: string): string {
  if (/(^|\/)\.?$/.test(src) || !isCardPath(src)) throw new BadInput('invalid src filename')
  return src
}

function isCardPath (src: string): boolean {
  try {
    return cardPath(src) !== '/'
  } catch {
    return false
  }
}

/** File names in headers are ASCII; the real name is sent in the extended notation. */
function sendFile ({ entry, body }: CardStream, response: FastifyReply): FastifyReply {
  const plain = entry.name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(entry.name).replaceAll(/['()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
  return response.type('application/octet-stream')
    .header('content-length', entry.size)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${full}`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(body)
}

const tree = (path: string, only3mf: boolean) => route(listFiles, {
  method: 'GET',
  path,
  tag,
  etag: true,
  summary: only3mf ? 'Projects on the card' : 'Everything on the card',
  params: Cached,
  input: ({ cached }) => ({ only3mf, cached: cached === true }),
  body: Tree,
  reply: contents
})

const refresh = (path: string, only3mf: boolean) => route(listFiles, {
  method: 'POST',
  path,
  tag,
  summary: 'List the card again',
  params: Type.Object({}),
  input: () => ({ only3mf }),
  reply: ok
})

const find = (path: string, key: 'id' | 'name') => route(findEntry, {
  method: 'GET',
  path,
  tag: 'System',
  summary: `A project or folder on the card by its ${key === 'id' ? 'path' : 'name'}`,
  params: Type.Object({
    [key]: Type.Optional(Type.String({
      description: 'Exact, folders with / at the end',
      'x-openapi': { required: true }
    }))
  }),
  input: params => ({ only3mf: true, [key]: required((params as Record<string, string>)[key], `${key} parameter required`) }),
  body: Type.Union([Type.Object({ entry: Node }), Type.Object({ error: Type.String({ description: 'Nothing was found' }) })]),
  reply: ({ entry }, params) => entry ? { entry } : { error: `Not found: ${(params as Record<string, string>)[key]}` }
})

const download = (method: 'GET' | 'POST') => route(readFile, {
  method,
  path: '/download_file_from_printer',
  tag,
  ...(method === 'GET' && { summary: '⚠ A file from the card' }), // marked like the POST of the same path
  params: Type.Object({ src: Type.String({ description: 'Full path on the card' }) }),
  input: ({ src }) => ({ path: sourceOf(src) }),
  body: BYTES,
  reply: (file, _params, response) => sendFile(file, response)
})

export default [
  tree('/get_sdcard_contents', false),
  tree('/get_sdcard_3mf_files', true),
  refresh('/refresh_sdcard_contents', false),
  refresh('/refresh_sdcard_3mf_files', true),
  find('/find_3mf_by_id', 'id'),
  find('/find_3mf_by_name', 'name'),
  route(findEntry, {
    method: 'GET',
    path: '/get_file_info',
    tag,
    params: Type.Object({ file: Type.String({ description: 'Path or name; folders by their path with / at the end' }) }),
    input: ({ file }) => ({ id: file, name: file }),
    body: Type.Object({ file: Node }),
    reply: (answer, { file }) => ({ file: found(answer, `File not found: ${file}`) })
  }),
  route(createFolder, {
    method: 'POST',
    path: '/make_sdcard_directory',
    tag,
    params: Type.Object({ dir: Type.String({ description: 'Full path of the folder' }) }),
    input: ({ dir }) => ({ path: dir }),
    body: Tree,
    reply: contents
  }),
  route(renameEntry, {
    method: 'PATCH',
    path: '/rename_sdcard_file',
    tag,
    params: Type.Object({ src: Type.String(), dest: Type.String() }),
    input: ({ src, dest }) => ({ from: src, to: dest }),
    body: Tree,
    reply: contents
  }),
  route(deleteEntry, {
    method: 'DELETE',
    path: '/delete_sdcard_file',
    tag,
    params: Type.Object({
      file: Type.Optional(Type.String({
        description: 'With / at the end: a folder and all in it',
        'x-openapi': { required: true }
      }))
    }),
    input: ({ file }) => ({ path: targetOf(file) }),
    body: Tree,
    reply: contents
  }),
  download('GET'),
  download('POST'),
  route(uploadStored, {
    method: 'POST',
    path: '/upload_file_to_printer',
    tag,
    params: Type.Object({
      src: Type.String({ description: 'Name of a file sent to upload_file_to_host' }),
      dest: Type.String({ description: 'Full path on the card' }),
      to_print: Type.Optional(Type.Boolean({
        default: false, description: 'Refused, before anything is sent, when nothing in the file can be printed'
      }))
    }),
    input: ({ src, dest, to_print: toPrint = false }) => ({ source: src, path: dest, toPrint }),
    body: Tree,
    reply: contents
  })
]
