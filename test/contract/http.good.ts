import type { Test } from 'tap'
import { eventually } from '../helpers/eventually.js'
import { changed } from './card.js'
import { commandsOf, refreshesIn, type Fields, type Fleet } from './fleet.js'
import type { Param } from './rows.js'
import type { Case } from './http.cases.data.js'
import { ROUTES_TRIED_ELSEWHERE } from './elsewhere.data.js'
import { HTTP, type HttpRow } from './http.data.js'
import { casesOf, idOf, named, takesPrinter, waysFor, wireOf } from './http.walk.js'
import type { Way } from './invalid.js'
import { requestOf, waysOf, wrongSuccess } from './request.js'

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly { readonly type?: string }[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}
interface Body { readonly properties: Readonly<Record<string, Schema>>, readonly required?: readonly string[] }
interface Described {
  readonly parameters?: readonly { readonly name: string, readonly required?: boolean, readonly schema: Schema }[]
  readonly requestBody?: { readonly required?: boolean, readonly content?: Readonly<Record<string, { schema: Body }>> }
}

/** What a table promises is there and described, and nothing else is. */
export async function areServed (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  const { kernel, inject } = fleet
  const known = new Set([...HTTP.map(idOf), ...ROUTES_TRIED_ELSEWHERE])
  for (const { method, path } of kernel.contributed('routes')) {
    t.ok(known.has(`${method} /api${path}`), `${method} ${path}`)
  }
  const { paths } = (await inject({ url: '/api/openapi.json' })).body as { paths: Fields }
  for (const row of rows) {
    t.ok(kernel.app.hasRoute({ method: row.method, url: row.path }), idOf(row))
    const { good, bad = [] } = casesOf(row)
    t.ok(good.length + bad.length > 0, `${idOf(row)} is tried`)
    isDescribed(t, row, (paths[row.path] as Fields | undefined)?.[row.method.toLowerCase()] as Described | undefined)
  }
}

function isDescribed (t: Test, row: HttpRow, operation: Described | undefined): void {
  const wanted = row.params.map(({ name }) => name).sort()
  t.ok(operation, idOf(row))
  if (waysOf(row).includes('multipart')) return isFileDescribed(t, row, operation)
  const named = operation?.parameters?.map(({ name }) => name).filter(name => name !== 'dry_run') ?? []
  t.same(named.sort(), wanted, idOf(row))
  t.same(wrongParams(row, operation ?? {}), [], idOf(row))
  if (waysOf(row).length === 1 || wanted.length === 0) return
  const { content = {} } = operation?.requestBody ?? {}
  t.same(Object.keys(content).sort(), ['application/json', 'application/x-www-form-urlencoded'], idOf(row))
  for (const { schema } of Object.values(content)) t.same(Object.keys(schema.properties).sort(), wanted, idOf(row))
}

function isFileDescribed (t: Test, row: HttpRow, operation: Described | undefined): void {
  if (row.method === 'GET') return // a body of a GET has no meaning in the description
  const { required, content } = operation?.requestBody ?? {}
  t.same(Object.keys(content ?? {}), ['multipart/form-data'], idOf(row))
  t.same(content?.['multipart/form-data']?.schema.required, row.params.map(({ name }) => name), idOf(row))
  t.equal(required, true, idOf(row))
}

const TYPES = new Set(['string', 'integer', 'number', 'boolean'])
/** Plugins add collections. */
const OPEN_LISTS = new Set(['/api/monitoring_series'])

const typesOf = ({ type, anyOf = [] }: Schema = {}) => [type, ...anyOf.map(one => one.type)]

/** What the description says otherwise than the table: a caller that goes by it would be refused, or ask in vain. */
function wrongParam ({ path }: HttpRow, { name, type, oneOf, min, max, lenient = false, required }: Param,
  told: Schema | undefined, must: boolean): string[] {
  const listed = oneOf === undefined || lenient || OPEN_LISTS.has(path) ? [] : oneOf
  return [
    ...(must === required ? [] : [`${name}: required ${must}`]),
    ...(TYPES.has(type) && !typesOf(told).includes(type) ? [`${name}: type ${told?.type}`] : []),
    ...listed.filter(value => told?.enum?.includes(value) !== true).map(value => `${name}: without ${value}`),
    ...(min === undefined || told?.minimum === min ? [] : [`${name}: minimum ${told?.minimum}`]),
    ...(max === undefined || told?.maximum === max ? [] : [`${name}: maximum ${told?.maximum}`])
  ]
}

/** Required flags, types, lists and bounds, in the query of reads and in the body of writes. */
export function wrongParams (row: HttpRow, { parameters = [], requestBody }: Described): string[] {
  const body = requestBody?.content?.['application/json']?.schema
  const inBody = row.method !== 'GET' && row.method !== 'DELETE'
  const needed = row.params.some(({ required }) => required)
  return [
    ...(inBody && needed !== (requestBody?.required === true) ? [`the body: required ${requestBody?.required}`] : []),
    ...row.params.flatMap(param => {
      const inQuery = parameters.find(({ name }) => name === param.name)
      return inBody
        ? wrongParam(row, param, body?.properties[param.name], body?.required?.includes(param.name) === true)
        : wrongParam(row, param, inQuery?.schema, inQuery?.required === true)
    })
  ]
}

interface Trial {
  readonly fleet: Fleet
  readonly row: HttpRow
  readonly trial: Case
  readonly printer: string
  readonly title: string
}

async function askOnce (t: Test, { fleet, row, trial, printer, title }: Trial, way: Way): Promise<void> {
  const ask = () => fleet.inject(requestOf(row, way, named(row, trial.params, printer)))
  const reply = await (trial.lives === true ? fleet.living(ask) : ask())
  if (trial.instead) t.same([reply.status, reply.body], [200, trial.instead], `${title} as ${way}`)
  else t.same(wrongSuccess(row, reply), [], `${title} as ${way}`)
  if (trial.answer) t.match(reply.body, trial.answer, `${title} as ${way}`)
  if (trial.content !== undefined) t.equal(reply.text, trial.content, `${title} as ${way}`)
}

/** What it changes on the card is made anew for each way. */
async function askOneByOne (t: Test, it: Trial, ways: readonly Way[]): Promise<void> {
  const { fleet, trial: { has = {}, after = {} }, printer, title } = it
  for (const way of ways) {
    await fleet.furnish(printer, has)
    const before = await fleet.cards([printer])
    await askOnce(t, it, way)
    t.same(await fleet.cards([printer]), { [printer]: changed(before[printer] ?? {}, after) }, `${title} as ${way}: the card`)
  }
}

/**
 * One case on one printer: every way at once, each answer checked, and what the printer heard of it. What belongs
 * together arrives together, however many ask.
 */
async function tryCase (t: Test, fleet: Fleet, row: HttpRow, trial: Case, printer: string): Promise<void> {
  const { once = false, unasked = false } = casesOf(row)
  const every = trial.way !== undefined ? [trial.way] : once ? ['query'] as const : waysFor(row, trial)
  const ways = fleet.oneWay === true ? every.slice(0, 1) : every
  const one = wireOf(trial, fleet.model(printer))
  const wanted = ways.flatMap(() => one)
  const title = `${idOf(row)} ${JSON.stringify(trial.params)} on ${printer}`
  const it: Trial = { fleet, row, trial, printer, title }
  const heard = await fleet.heard([printer], async () => {
    const before = fleet.of(printer).requests.length
    if (trial.has) await askOneByOne(t, it, ways)
    else await Promise.all(ways.map(way => askOnce(t, it, way)))
    if (unasked) await eventually(() => fleet.of(printer).requests.length >= before + wanted.length)
  })
  const wire = heard.get(printer) ?? []
  t.same(commandsOf(wire), commandsOf(wanted), `${title}: what the printer heard`)
  if (refreshesIn(wanted) > 0) t.ok(refreshesIn(wire) >= refreshesIn(wanted), `${title}: it was asked for everything`)
}

/** Every route does what it says, on every family and every way it is asked; what it does not say it leaves alone. */
export async function routesWork (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows) {
    const before = await fleet.cards(fleet.names)
    for (const trial of casesOf(row).good) {
      const printers = fleet.names.filter(name => trial.models?.includes(fleet.model(name)) ?? true)
      const some = takesPrinter(row) ? printers : printers.slice(0, 1)
      await fleet.become(trial.while ?? 'idle', some)
      await Promise.all(some.map(printer => tryCase(t, fleet, row, trial, printer)))
    }
    if (casesOf(row).good.length > 0) {
      t.ok(fleet.described.has(row.method, row.path, 200), `${idOf(row)}: success was compared with the description`)
    }
    if (casesOf(row).good.every(({ has }) => has === undefined)) {
      t.same(await fleet.cards(fleet.names), before, `${idOf(row)} leaves the cards as they were`)
    }
  }
}
