import t from 'tap'
import type { Test } from 'tap'
import { eventually } from '../helpers/eventually.js'
import { commandsOf, oneFleet, refreshesIn, type Fields, type Fleet } from './fleet.js'
import type { Case } from './http.cases.data.js'
import { GROUPS, HTTP, type HttpRow } from './http.data.js'
import { casesOf, idOf, named, ROWS, takesPrinter, waysFor, wireOf } from './http.walk.js'
import { requestOf, waysOf, wrongSuccess } from './request.js'

const fleetOnce = oneFleet(t)

t.test('the table holds every route', async t => {
  t.equal(HTTP.length, 91, 'pairs of method and path')
  t.equal(new Set(HTTP.map(idOf)).size, 91, 'each once')
  t.equal(new Set(HTTP.map(({ path }) => path)).size, 87, 'paths')
  const counted = GROUPS.map(group => HTTP.filter(row => row.group === group && !row.second).length)
  t.same(counted, [33, 8, 9, 10, 10, 17, 1], 'entries of each group')
})

t.test('what exists is served, and nothing else below the API', async t => {
  const { kernel } = await fleetOnce()
  for (const row of ROWS) t.ok(kernel.app.hasRoute({ method: row.method, url: row.path }), idOf(row))
  const known = new Set(HTTP.map(idOf))
  for (const { method, path } of kernel.contributed('routes')) {
    t.ok(known.has(`${method} /api${path}`), `${method} ${path}`)
  }
  for (const row of ROWS) t.ok(casesOf(row).good.length > 0, `${idOf(row)} is tried`)
})

t.test('the description names every route with its parameters', async t => {
  const { inject } = await fleetOnce()
  const { paths } = (await inject({ url: '/api/openapi.json' })).body as { paths: Fields }
  for (const row of ROWS) {
    const operation = (paths[row.path] as Fields | undefined)?.[row.method.toLowerCase()] as Described | undefined
    const wanted = row.params.map(({ name }) => name).sort()
    t.same(operation?.parameters?.map(({ name }) => name).sort() ?? [], wanted, idOf(row))
    if (waysOf(row).length === 1 || wanted.length === 0) continue
    const { content = {} } = operation?.requestBody ?? {}
    t.same(Object.keys(content).sort(), ['application/json', 'application/x-www-form-urlencoded'], idOf(row))
    for (const { schema } of Object.values(content)) t.same(Object.keys(schema.properties).sort(), wanted, idOf(row))
  }
})
interface Described {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema: { properties: Fields } }>> }
}

/**
 * One case on one printer: every way at once, each answer checked, and what the printer heard of it. What belongs
 * together arrives together, however many ask.
 */
async function tryCase (t: Test, fleet: Fleet, row: HttpRow, trial: Case, printer: string): Promise<void> {
  const { once = false, unasked = false } = casesOf(row)
  const ways = once ? ['query'] as const : waysFor(row, trial)
  const one = wireOf(trial, fleet.model(printer))
  const wanted = ways.flatMap(() => one)
  const title = `${idOf(row)} ${JSON.stringify(trial.params)} on ${printer}`
  const heard = await fleet.heard([printer], async () => {
    const before = fleet.of(printer).requests.length
    await Promise.all(ways.map(async way => {
      const ask = () => fleet.inject(requestOf(row, way, named(row, trial.params, printer)))
      const reply = await (trial.lives === true ? fleet.living(ask) : ask())
      t.same(wrongSuccess(row, reply), [], `${title} as ${way}`)
      if (trial.answer) t.match(reply.body, trial.answer, `${title} as ${way}`)
    }))
    if (unasked) await eventually(() => fleet.of(printer).requests.length >= before + wanted.length)
  })
  const wire = heard.get(printer) ?? []
  t.same(commandsOf(wire), commandsOf(wanted), `${title}: what the printer heard`)
  if (refreshesIn(wanted) > 0) t.ok(refreshesIn(wire) >= refreshesIn(wanted), `${title}: it was asked for everything`)
}

t.test('every route does what it says, on every family and every way it is asked', async t => {
  const fleet = await fleetOnce()
  for (const row of ROWS) {
    for (const trial of casesOf(row).good) {
      const printers = fleet.names.filter(name => trial.models?.includes(fleet.model(name)) ?? true)
      const some = takesPrinter(row) ? printers : printers.slice(0, 1)
      await fleet.become(trial.while ?? 'idle', some)
      await Promise.all(some.map(printer => tryCase(t, fleet, row, trial, printer)))
    }
  }
})
