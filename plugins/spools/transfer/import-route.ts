import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { API_PREFIX, BadInput, nameOfCaller, recorded, type Kernel } from '../../../core/index.js'
import { ManagedInSpoolman } from '../errors.js'
import { importSpools } from './import.js'
import { FORMATS } from './records.js'

const PATH = `${API_PREFIX}/spools/import`
const MOST_BYTES = 16 * 1024 ** 2
const HOW = 'Send the list itself as the body, as text/csv or application/json'

const Query = Type.Object({
  apply: Type.Optional(Type.Boolean({ default: false, description: 'Import it; left out: only say what would be done' })),
  skip_broken: Type.Optional(Type.Boolean({ default: false, description: 'Import the other rows although some cannot be read' }))
})

const Answer = Type.Object({
  format: Type.Enum(FORMATS, { description: 'Where the list comes from, by its columns' }),
  rows: Type.Integer(),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  broken: Type.Integer({ description: 'Rows that cannot be read' }),
  problems: Type.Array(Type.Object({
    line: Type.Integer({ description: 'Line of the file; in JSON the number of the entry' }),
    column: Type.String({ description: 'As written; empty for the whole row' }),
    value: Type.String(),
    reason: Type.String()
  }), { description: 'At most 1,000' }),
  ignored: Type.Array(Type.String(), { description: 'Columns that are not understood' }),
  new_types: Type.Integer(),
  new_places: Type.Integer(),
  applied: Type.Boolean({ description: 'False: nothing was changed' })
}, { 'x-name': 'SpoolImport' })

interface ImportRequest { readonly Querystring: { readonly apply?: string, readonly skip_broken?: string } }

const isTrue = (name: string, value: string | undefined): boolean => {
  if (value === undefined || value === 'false' || value === '') return false
  if (value !== 'true') throw new BadInput(`${name} must be true or false`)
  return true
}

/** Takes lists of spools, which are larger than other requests. */
export async function serveImport (app: FastifyInstance, kernel: Kernel, changed: () => void): Promise<void> {
  const { services } = kernel
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(['text/csv', 'text/plain', 'application/json', 'application/octet-stream'], { parseAs: 'string' },
      (_request, body, done) => { done(null, body) })
    scope.addContentTypeParser('*', (_request, _body, done) => { done(new BadInput(HOW)) })
    scope.post<ImportRequest>(PATH, {
      bodyLimit: MOST_BYTES,
      config: {
        openapi: {
          operationId: 'postSpoolsImport',
          summary: '⚠ Import a list of spools, or see first what that would do',
          description: `${HOW}. Rows with an id that exists change that spool, so that a list can be imported again.`,
          tags: ['Spools'],
          consumes: ['text/csv', 'application/json'],
          querystring: Query,
          body: { content: { 'text/csv': { schema: { type: 'string' } } } },
          response: {
            ...services.http.failures({ method: 'POST', errors: [ManagedInSpoolman] }, PATH),
            200: { description: 'What was done, or would be', content: { 'application/json': { schema: Answer } } }
          }
        }
      }
    }, async (request, reply) => {
      const { body, query } = request
      if (typeof body !== 'string' || body.trim() === '') throw new BadInput(HOW)
      const from = { surface: 'http', caller: services.http.callerOf(request) }
      const { spools } = services
      const work = () => importSpools(spools.inventory.rows, spools.kind === 'prnd', {
        text: body,
        apply: isTrue('apply', query.apply),
        skipBroken: isTrue('skip_broken', query.skip_broken),
        by: nameOfCaller(from),
        at: kernel.now()
      })
      const { newTypes, newPlaces, isApplied, ...counts } = query.apply === 'true'
        ? await recorded(kernel, 'spools.import', from, work)
        : await work()
      if (isApplied) {
        await spools.refresh()
        changed()
      }
      const answer = { ...counts, new_types: newTypes, new_places: newPlaces, applied: isApplied }
      return services.http.sendJson(reply, answer)
    })
  })
}
