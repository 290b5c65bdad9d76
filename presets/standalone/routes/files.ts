import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { BadInput, ok, route } from '../../../core/index.js'
import { createFolder, renameEntry } from '../../../plugins/files/operations/change.js'
import { listFiles } from '../../../plugins/files/operations/read.js'
import { readJobProps, readProps } from '../../../plugins/projects/operations/read.js'
import { deleteFromCard, fetchFromCard, putOnCard, readCard, type Fetched } from '../operations/files.js'
import { Success } from '../param-schemas.js'

const tag = 'Files'
const Path = (description: string) => Type.String({ minLength: 1, description })
const BYTES = Type.Unsafe<string>({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })
const Tree = Type.Unsafe<object>({
  type: 'object', additionalProperties: true, description: 'The card: name, id, size or children'
})

const contents = ({ contents }: { contents: unknown }) => contents
const nothing = { params: Type.Object({}) }

/** The card itself cannot be deleted. */
function target (file: string): string {
  if (/^\/*$/.test(file)) throw new BadInput('file must name a file or folder')
  return file
}

/** File names in headers are ASCII; the real name is sent in the extended notation. */
function sendFile ({ name, size, body }: Fetched, response: FastifyReply): FastifyReply {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(name).replaceAll(/['()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
  return response.type('application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${full}`)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(body)
}

const refresh = (path: string, only3mf: boolean) => route(listFiles, {
  ...nothing, method: 'GET', path, tag, summary: 'List the card again', input: () => ({ only3mf }), body: Success, reply: ok
})

const either = ['GET', 'POST'] as const

const download = (method: (typeof either)[number]) => route(fetchFromCard, {
  method,
  path: '/download_file_from_printer',
  tag,
  params: Type.Object({ src: Path('Full path on the card') }),
  input: ({ src }) => ({ path: src }),
  body: BYTES,
  reply: (file, _params, response) => sendFile(file, response)
})

const upload = (method: (typeof either)[number]) => route(putOnCard, {
  method,
  path: '/upload_file_to_printer',
  tag,
  params: Type.Object({
    src: Path('Name of a file in the uploads folder'),
    dest: Path('Full path on the card'),
    to_print: Type.Optional(Type.Boolean({
      default: false, description: 'Refused, before anything is sent, when nothing in the file can be printed'
    }))
  }),
  input: ({ src, dest, to_print: toPrint = false }) => ({ source: src, path: dest, toPrint }),
  body: Tree,
  reply: contents
})

export default [
  route(readCard, { method: 'GET', path: '/get_sdcard_contents', tag, body: Tree, reply: contents }),
  refresh('/refresh_sdcard_contents', false),
  route(listFiles, {
    ...nothing,
    method: 'GET',
    path: '/get_sdcard_3mf_files',
    tag,
    summary: 'Projects on the card, listed now',
    input: () => ({ only3mf: true }),
    body: Tree,
    reply: contents
  }),
  refresh('/refresh_sdcard_3mf_files', true),
  route(deleteFromCard, {
    method: 'GET',
    path: '/delete_sdcard_file',
    tag,
    params: Type.Object({ file: Path('With / at the end: a folder and all in it') }),
    input: ({ file }) => ({ path: target(file) }),
    body: Tree,
    reply: contents
  }),
  route(createFolder, {
    method: 'GET',
    path: '/make_sdcard_directory',
    tag,
    params: Type.Object({ dir: Path('Full path of the folder') }),
    input: ({ dir }) => ({ path: dir }),
    body: Tree,
    reply: contents
  }),
  route(renameEntry, {
    method: 'GET',
    path: '/rename_sdcard_file',
    tag,
    params: Type.Object({ src: Path('Full path'), dest: Path('New full path') }),
    input: ({ src, dest }) => ({ from: src, to: dest }),
    body: Tree,
    reply: contents
  }),
  ...either.map(upload),
  ...either.map(download),
  route(readProps, {
    method: 'GET',
    path: '/get_3mf_props_for_file',
    tag,
    params: Type.Object({ file: Path('Full path on the card'), plate: Type.Optional(Type.Integer({ minimum: 1, default: 1 })) }),
    input: ({ file, plate = 1 }) => ({ file, plate })
  }),
  route(readJobProps, {
    method: 'GET',
    path: '/get_current_3mf_props',
    tag,
    reply: record => ({ status: 'success', ...record })
  })
]
