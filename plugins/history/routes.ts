import { Type, type TSchema } from 'typebox'
import { ok, route } from '../../core/index.js'
import {
  annotatePrint, deletePrint, exportPrints, listPrints, readPicture, readPrint, readStatistics, readSummary,
  readTelemetry, readThumbnail, readTimeUse
} from './operations.js'
import { acceptedIn, AcceptFindingsParam, AcceptWarningsParam, warningsIn } from '../projects/index.js'
import { changeKeeping, readKeeping, tryKeeping } from './keeping-operations.js'
import { readPrices, setPrices } from './price-operations.js'
import { reprint } from './reprint.js'
import { Mapping, PlateNumber, reprintInputOf, UseAms } from './reprint-params.js'

const tag = 'History'
const image = (type: string): TSchema => ({
  content: { [type]: { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
}) as unknown as TSchema

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' }
const LINES = {
  content: Object.fromEntries(['text/csv', 'application/jsonl'].map(type => [type, { schema: { type: 'string' } }]))
} as unknown as TSchema

export default [
  route(listPrints, { method: 'GET', path: '/history', tag, etag: true }),
  route(readStatistics, { method: 'GET', path: '/history/statistics', tag }),
  route(readSummary, { method: 'GET', path: '/history/summary', tag }),
  route(readTimeUse, { method: 'GET', path: '/history/time', tag }),
  route(exportPrints, {
    method: 'GET',
    path: '/history/export',
    tag,
    body: LINES,
    reply: ({ format, text }, _params, response) => response.type(TYPES[format]).headers({
      'cache-control': 'no-store', 'content-disposition': `attachment; filename="prints.${format}"`
    }).send(text)
  }),
  route(readKeeping, { method: 'GET', path: '/history/keeping', tag }),
  route(tryKeeping, { method: 'GET', path: '/history/keeping/effect', tag }),
  route(changeKeeping, { method: 'PATCH', path: '/history/keeping', tag }),
  route(readPrices, { method: 'GET', path: '/history/prices', tag }),
  route(setPrices, { method: 'PATCH', path: '/history/prices', tag }),
  route(readPrint, { method: 'GET', path: '/history/:id', tag }),
  route(readTelemetry, { method: 'GET', path: '/history/:id/telemetry', tag }),
  route(annotatePrint, { method: 'PATCH', path: '/history/:id', tag }),
  route(reprint, {
    method: 'POST',
    path: '/history/:id/reprint',
    tag,
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64 }),
      accept_mismatch: Type.Optional(Type.Boolean({
        default: false, description: 'Print despite what is asked about first, as in POST /api/print_3mf'
      })),
      accept_warnings: AcceptWarningsParam,
      accept_findings: AcceptFindingsParam,
      ams_mapping: Mapping('Tray by filament id - 1, -1 unused, as a list or as its JSON text; left out: as the first time'),
      use_ams: UseAms,
      plate: PlateNumber
    }),
    input: ({
      id, accept_mismatch: acceptMismatch = false, accept_warnings: warnings, accept_findings: accepted, ...choice
    }) => ({ id, acceptMismatch, ...warningsIn(warnings), ...acceptedIn(accepted), ...reprintInputOf(choice) })
  }),
  route(deletePrint, { method: 'DELETE', path: '/history/:id', tag, reply: ok }),
  route(readThumbnail, {
    method: 'GET',
    path: '/history/:id/thumbnail',
    tag,
    body: image('image/png'),
    reply: ({ png }, _params, response) => response.type('image/png').header('cache-control', 'no-store').send(png)
  }),
  route(readPicture, {
    method: 'GET',
    path: '/history/:id/picture',
    tag,
    body: image('image/jpeg'),
    reply: ({ jpeg }, _params, response) => response.type('image/jpeg').header('cache-control', 'no-store').send(jpeg)
  })
]
