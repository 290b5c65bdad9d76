import { Type, type TSchema } from 'typebox'
import { ok, route, Success } from '../../core/index.js'
import { mappingIn } from './mapping/caller-mapping.js'
import { previewMapping } from './operations/mapping.js'
import { giveUpStart } from './operations/give-up.js'
import { printFile } from './operations/print.js'
import { readAll, readJobProps, readProps, readThumbnail, readTopView } from './operations/read.js'
import { PLATE_TYPES } from './print/project-file.js'
import { acceptedIn, AcceptFindingsParam, AcceptWarningsParam, warningsIn } from './findings/accepted-in.js'
import { ACCEPT, Judgement, PlateRead } from './schemas.js'

const tag = 'Files'

const File = Type.String({ minLength: 1, description: 'Full path on the card' })
const Plate = Type.Optional(Type.Integer({ minimum: 1, default: 1 }))
const Quality = Type.Optional(Type.String({ default: 'standard', description: 'preview, standard or full; any other means standard' }))
const JPEG = { content: { 'image/jpeg': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } } } as unknown as TSchema

const Mapping = Type.Optional(Type.Unknown({
  description: 'Tray by filament id - 1, -1 unused, as a list or as its JSON text; left out: by type and colour',
  'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }
}))

const plateOf = ({ file, plate = 1 }: { file: string, plate?: number }) => ({ file, plate })
const pictureOf = ({ file, plate = 1, quality = 'standard' }: { file: string, plate?: number, quality?: string }) =>
  ({ file, plate, quality })

const picture = (operation: typeof readThumbnail, path: string) => route(operation, {
  method: 'GET',
  path,
  tag,
  params: Type.Object({ file: File, plate: Plate, quality: Quality }),
  input: pictureOf,
  body: JPEG,
  reply: ({ jpeg }, _params, response) => response.type('image/jpeg').header('cache-control', 'no-store').send(jpeg)
})

export default [
  route(readProps, {
    method: 'GET',
    path: '/get_3mf_props_for_file',
    tag,
    etag: true,
    params: Type.Object({ file: File, plate: Plate }),
    input: plateOf
  }),
  route(readAll, {
    method: 'GET',
    path: '/get_all_3mf_props_for_file',
    tag,
    etag: true,
    params: Type.Object({ file: File, include_images: Type.Optional(Type.Boolean({ default: false })) }),
    input: ({ file, include_images: images = false }) => ({ file, images })
  }),
  route(readJobProps, {
    method: 'GET',
    path: '/get_current_3mf_props',
    tag,
    etag: true,
    body: Type.Object({ status: Type.Literal('success'), ...readJobProps.output.properties }),
    reply: record => ({ status: 'success', ...record })
  }),
  picture(readThumbnail, '/plate_thumbnail'),
  picture(readTopView, '/plate_topview'),
  route(previewMapping, {
    method: 'GET',
    path: '/preview_ams_mapping',
    tag,
    params: Type.Object({
      file: File,
      plate: Plate,
      ams_mapping: Mapping,
      use_ams: Type.Optional(Type.Boolean({ default: true, description: 'false: from the external holder' })),
      bed_type: Type.Optional(Type.Enum(PLATE_TYPES, { default: 'auto', description: 'Build plate' }))
    }),
    input: ({ ams_mapping: given, use_ams: useAms = true, bed_type: plateType = 'auto', ...params }) =>
      ({ ...plateOf(params), useAms, plateType, ...mappingIn(given) })
  }),
  route(printFile, {
    method: 'POST',
    path: '/print_3mf',
    tag: 'Print Control',
    body: Type.Object({ ...Success.properties, ...Judgement, ...PlateRead }, { 'x-name': 'PrintStarted' }),
    params: Type.Object({
      filename: Type.String({ minLength: 1, description: 'Full path of a .3mf on the card' }),
      platenum: Plate,
      plate: Type.Optional(Type.Enum(PLATE_TYPES, { default: 'auto', description: 'Build plate' })),
      use_ams: Type.Boolean(),
      ams_mapping: Mapping,
      accept_mismatch: Type.Optional(Type.Boolean({
        default: false, description: ACCEPT
      })),
      accept_warnings: AcceptWarningsParam,
      accept_findings: AcceptFindingsParam,
      bl: Type.Optional(Type.Boolean({ default: false, description: 'Level the bed first' })),
      flow: Type.Optional(Type.Boolean({ default: false, description: 'Calibrate the flow first' })),
      tl: Type.Optional(Type.Boolean({ default: false, description: 'Timelapse' }))
    }),
    input: ({ filename, platenum = 1, plate = 'auto', use_ams: useAms, ams_mapping: given, ...options }) => ({
      file: filename,
      plate: platenum,
      plateType: plate,
      useAms,
      ...mappingIn(given),
      acceptMismatch: options.accept_mismatch ?? false,
      ...warningsIn(options.accept_warnings),
      ...acceptedIn(options.accept_findings),
      leveling: options.bl ?? false,
      flow: options.flow ?? false,
      timelapse: options.tl ?? false
    }),
    reply: ({ outcome, warnings, mapping_words: words, findings, unread }, params, response) =>
      ({ ...ok({ confirmed: outcome === 'started' }, params, response), warnings, mapping_words: words, findings, unread })
  }),
  route(giveUpStart, { method: 'POST', path: '/give_up_start', tag: 'Print Control' })
]
