import t from 'tap'
import { boot } from '../helpers/boot.js'
import { brokenSession, commandsOf, ENDED, GONE, MODELS, NOBODY, oneFleet, SIGNED, type Fields, type Reply } from './fleet.js'
import { N, NO_LIVE_DATA, X, type HttpRow } from './http.data.js'
import { casesOf, idOf, named, ROWS, takesPrinter, wayOf, waysFor, wireOf } from './http.walk.js'
import { invalid } from './invalid.js'
import { requestOf, waysOf, wrongFault, wrongSuccess } from './request.js'
import { flaws, matching, type Param } from './rows.js'

const fleetOnce = oneFleet(t)

/** Parameters that one route refuses: those of its table and those of its own. */
function refusals (row: HttpRow) {
  const [example] = casesOf(row).good
  const good = example?.params ?? {}
  const generic = row.params.flatMap((param: Param) => invalid(param, good, waysOf(row)))
  const own = (casesOf(row).bad ?? []).flatMap(({ params, reason, models }) =>
    waysFor(row, { params }).map(way => ({ way, params, reason, models, what: JSON.stringify(params) })))
  return [...generic.map(refused => ({ ...refused, reason: undefined, models: example?.models })), ...own]
}

t.test('bad parameters are refused, and nothing is sent', async t => {
  const fleet = await fleetOnce()
  const heard = await fleet.heard(fleet.names, async () => {
    for (const row of ROWS) {
      for (const { way, params, reason, what, models = MODELS } of refusals(row)) {
        const printers = fleet.names.filter(name => models.includes(fleet.model(name)))
        for (const name of takesPrinter(row) && reason ? printers : printers.slice(0, 1)) {
          const reply = await fleet.inject(requestOf(row, way, named(row, params, name)))
          t.same(wrongRefusal(reply, reason ?? reasonsOf(row, what)), [], `${idOf(row)} with ${what} as ${way}`)
        }
      }
    }
  })
  for (const [name, wire] of heard) t.same(commandsOf(wire), [], `${name} heard nothing`)
})

function wrongRefusal ({ status, body, text }: Reply, wanted: RegExp): string[] {
  const { reason } = body as { reason?: unknown } | undefined ?? {}
  return [
    ...(status === 400 ? [] : [`status ${status}: ${text}`]),
    ...flaws(body, { status: 'string', error: 'string', reason: 'string' }),
    ...(wanted.test(String(reason)) ? [] : [`the reason is ${String(reason)}`])
  ]
}

/** The documented reasons of a route, else a sentence that names the parameter. */
function reasonsOf (row: HttpRow, what: string): RegExp {
  const own = row.faults.filter(({ status, body }) => status === 400 && body?.error === undefined)
    .map(({ body }) => body?.reason?.split('<')[0] ?? '').filter(start => start !== '')
  const name = /(\w+)[=:]|no (\w+)/.exec(what)
  return new RegExp([...own, name?.[1] ?? name?.[2] ?? '!'].join('|'))
}

t.test('a printer without a session gets one answer everywhere', async t => {
  const fleet = await fleetOnce()
  const rows = ROWS.filter(({ faults }) => faults.includes(N))
  t.ok(rows.length >= 23, `${rows.length} routes`)
  for (const row of rows) {
    const [{ params } = { params: {} }] = casesOf(row).good
    for (const printer of [NOBODY, ENDED, 'P1S']) {
      for (const way of waysFor(row, { params })) {
        const reply = await fleet.inject(requestOf(row, way, { ...params, printer }))
        t.same(wrongFault(N, reply, { printer }), [], `${idOf(row)} as ${way} for ${printer}`)
        t.same(Object.keys(reply.body as Fields).sort(), ['error', 'reason', 'status'])
      }
    }
  }
})

t.test('a printer that cannot be reached', async t => {
  const { inject, session } = await fleetOnce()
  for (const row of ROWS.filter(takesPrinter)) {
    const { good, gone = good.some(({ wire }) => wire !== undefined) ? 'refused' : 'works' } = casesOf(row)
    const trial = good.find(({ wire }) => wire !== undefined) ?? good[0]
    if (trial === undefined || row.path === '/api/toggle_active_tool') continue
    const reply = await inject(requestOf(row, wayOf(row, trial), { ...trial.params, printer: GONE }))
    if (gone === 'works') t.same(wrongSuccess(row, reply), [], idOf(row))
    if (gone === 'refused') {
      t.same(wrongFault(N, reply, { printer: GONE }), [], idOf(row))
      t.match(reply.body, { detail: /nothing answers on that port/ }, 'it says why')
    }
    if (gone === 'no history') {
      t.match(reply, { status: 200, body: { error: `Printer '${GONE}' not connected` } }, idOf(row))
    }
    if (gone !== 'no data') continue
    const fault = row.faults.find(({ status, body }) => status === 304 || body?.reason === 'no data') ?? X
    t.same(wrongFault(fault, reply), [], idOf(row))
    if (fault !== NO_LIVE_DATA) t.match(reply.body, { printer: { _service_state: session(GONE).service } })
  }
})

t.test('what the printer refuses is refused, with its words', async t => {
  const fleet = await fleetOnce()
  for (const row of ROWS) {
    const trial = casesOf(row).good.find(({ wire }) => wire !== undefined)
    if (trial === undefined) continue
    const name = trial.models?.[0] === 'H2D' ? 'h2d' : 'x1c'
    await fleet.become(trial.while ?? 'idle', [name])
    const [first] = wireOf(trial, fleet.model(name))
    const lift = fleet.of(name).faults.refuse(first?.command ?? first?.section ?? '', { reason: 'not on a Sunday' })
    const reply = await fleet.inject(requestOf(row, wayOf(row, trial), named(row, trial.params, name)))
    lift()
    if (casesOf(row).unasked) t.equal(reply.status, 200, `${idOf(row)} does not wait for an answer`)
    else {
      t.equal(reply.status, 409, `${idOf(row)}: ${reply.text}`)
      const own = row.faults.find(({ body }) => body?.reason?.startsWith('printer refused'))?.body?.reason
      const reason = own === undefined ? /^'[\w-]+' refused .*: not on a Sunday$/ : matching(own, { why: 'not on a Sunday' })
      t.match(reply.body, { status: 'error', error: 'refused', reason }, idOf(row))
    }
  }
})

t.test('a printer that wants signatures is told apart', async t => {
  const { inject } = await fleetOnce()
  for (const row of ROWS.filter(takesPrinter)) {
    const trial = casesOf(row).good.find(({ wire, models, while: activity }) =>
      wire !== undefined && models === undefined && activity === undefined)
    const [first] = trial === undefined ? [] : wireOf(trial, 'X1C')
    if (trial === undefined || first === undefined) continue
    const reply = await inject(requestOf(row, wayOf(row, trial), { ...trial.params, printer: SIGNED }))
    if (first.section !== 'print') t.equal(reply.status, 200, `${idOf(row)} needs none`)
    else {
      t.equal(reply.status, 409, `${idOf(row)}: ${reply.text}`)
      t.match(reply.body, { status: 'error', error: 'signature_required', reason: /Developer mode/ }, idOf(row))
    }
  }
})

t.test('while a job starts or runs', async t => {
  const fleet = await fleetOnce()
  const rows = ROWS.filter(({ faults }) => faults.some(({ body }) => body?.reason?.startsWith('Blocked')))
  t.same(rows.map(({ path }) => path), ['/api/send_gcode'])
  await fleet.become('idle', ['p1s', 'h2d'])
  await fleet.become('running', ['h2d'])
  fleet.of('p1s').startJob()
  t.ok(await fleet.session('p1s').until(({ job }) => job.gcodeState === 'PREPARE', 2_000))
  for (const row of rows) {
    const fault = row.faults.find(({ body }) => body?.reason?.startsWith('Blocked'))
    for (const [printer, state] of [['p1s', 'PREPARE'], ['h2d', 'RUNNING']] as const) {
      const heard = await fleet.heard([printer], async () => {
        for (const way of waysOf(row)) {
          const reply = await fleet.inject(requestOf(row, way, { printer, gcode: 'G28' }))
          t.same(wrongFault(fault ?? X, reply, { printer, state }), [], `${idOf(row)} as ${way} while ${state}`)
        }
        const { status } = await fleet.inject(requestOf(row, 'json', { printer, gcode: '' }))
        t.equal(status, 400, 'a bad parameter comes before the state of the printer')
      })
      t.same(commandsOf(heard.get(printer) ?? []), [], `${printer} heard nothing`)
    }
  }
})

t.test('the tool cannot be changed while it is changing', async t => {
  const fleet = await fleetOnce()
  await fleet.become('idle', ['h2d'])
  const swap = () => fleet.inject({ method: 'PATCH', url: '/api/toggle_active_tool', payload: { printer: 'h2d' } })
  const toolIs = (tool: number) => fleet.session('h2d').until(({ activeTray }) => activeTray.tool === tool, 2_000)
  t.equal((await swap()).status, 200)
  fleet.advance(200)
  t.ok(await toolIs(15))
  const { status, body } = await swap()
  t.equal(status, 409)
  t.match(body, { status: 'error', error: 'tool_changing', reason: /active tool is changing/ })
  fleet.advance(10_000)
  t.ok(await toolIs(1))
})

t.test('a command that was never answered is not passed off as done', async t => {
  const { inject, of } = await fleetOnce()
  const lift = of('x1c').faults.ignore('gcode_line')
  const url = '/api/set_bed_target_temp?printer=x1c&temp=50'
  const { status, body, headers } = await inject({ method: 'PATCH', url })
  lift()
  t.equal(status, 200)
  t.same(body, { status: 'success' })
  t.equal(headers['prn-command'], 'unconfirmed')
})

/** What is answered from our own records, whatever becomes of the session. */
const OWN_RECORDS = /^\/api\/(alerts|monitoring_\w+|charts\w*)$/

t.test('something unforeseen is told without its stack, unless somebody debugs', async t => {
  const { kernel } = await boot(t, { models: ['P1S'], wait: false, edges: { createSession: brokenSession } })
  for (const level of ['ERROR', 'DEBUG'] as const) {
    kernel.logs.setLevel('service', level)
    for (const row of ROWS.filter(({ faults, path }) => faults.includes(N) && faults.includes(X) && !OWN_RECORDS.test(path))) {
      const trial = casesOf(row).good[0] ?? { params: {} }
      const { statusCode, body } = await kernel.app.inject(requestOf(row, wayOf(row, trial), trial.params))
      const { stacktrace, ...rest } = JSON.parse(body) as { stacktrace: string }
      t.equal(statusCode, 500, idOf(row))
      t.same(rest, { status: 'error', message: 'Error: crossed wires', reason: 'Error: crossed wires' }, idOf(row))
      t.equal(/\n\s+at /.test(stacktrace), level === 'DEBUG', `${idOf(row)} at ${level}`)
    }
  }
})
