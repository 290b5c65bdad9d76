import type { Test } from 'tap'
import { boot } from '../helpers/boot.js'
import { brokenSession, commandsOf, ENDED, GONE, MODELS, NOBODY, SIGNED, type Fields, type Fleet, type Reply } from './fleet.js'
import type { Case } from './http.cases.data.js'
import { N, NO_LIVE_DATA, X, type HttpRow } from './http.data.js'
import { casesOf, idOf, named, takesPrinter, wayOf, waysFor, wireOf } from './http.walk.js'
import { invalid } from './invalid.js'
import { quietDaemon } from './preset.js'
import { requestOf, waysOf, wrongFault, wrongSuccess } from './request.js'
import { flaws, matching, type Param } from './rows.js'
import { testFolder } from '../helpers/folder.js'

/** What goes wrong reaches no printer, and leaves the cards as they are. */
export async function inVain (t: Test, fleet: Fleet, work: () => Promise<void>): Promise<void> {
  const before = await fleet.cards(fleet.names)
  for (const [name, wire] of await fleet.heard(fleet.names, work)) t.same(commandsOf(wire), [], `${name} heard nothing`)
  t.same(await fleet.cards(fleet.names), before, 'the cards are as they were')
}

/** Parameters that one route refuses: those of its table and those of its own. */
function refusals (row: HttpRow) {
  const [example] = casesOf(row).good
  const good = example?.params ?? {}
  const generic = row.params.flatMap((param: Param) => invalid(param, good, waysOf(row), true))
  const own = (casesOf(row).bad ?? []).flatMap(({ params, reason, models, status }) =>
    waysFor(row, { params }).map(way =>
      ({ way, params, reason, models, status, what: JSON.stringify(params).slice(0, 120) })))
  return [...generic.map(refused => ({ ...refused, reason: undefined, models: example?.models, status: 400 })), ...own]
}

export async function refuseBadParameters (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows) {
    for (const { way, params, reason, what, models = MODELS, status = 400 } of refusals(row)) {
      const printers = fleet.names.filter(name => models.includes(fleet.model(name)))
      // What is looked for on a card takes a listing each: one printer for all ways will do.
      const some = row.since !== 'files' || way === 'query' ? printers : printers.slice(0, 1)
      for (const name of takesPrinter(row) && reason ? some : printers.slice(0, 1)) {
        const reply = await fleet.inject(requestOf(row, way, named(row, params, name)))
        t.same(wrongRefusal(reply, status, reason ?? reasonsOf(row, what)), [], `${idOf(row)} with ${what} as ${way}`)
      }
    }
  }
}

function wrongRefusal ({ status, body, text }: Reply, wantedStatus: number, wanted: RegExp): string[] {
  const { reason } = body as { reason?: unknown } | undefined ?? {}
  return [
    ...(status === wantedStatus ? [] : [`status ${status}: ${text}`]),
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

export async function refuseWithoutSession (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows.filter(({ faults }) => faults.includes(N))) {
    const [{ params } = { params: {} }] = casesOf(row).good
    for (const printer of [NOBODY, ENDED, 'P1S']) {
      for (const way of waysFor(row, { params })) {
        const reply = await fleet.inject(requestOf(row, way, { ...params, printer }))
        t.same(wrongFault(N, reply, { printer }), [], `${idOf(row)} as ${way} for ${printer}`)
        t.same(Object.keys(reply.body as Fields).sort(), ['detail', 'error', 'reason', 'status'])
      }
    }
  }
}

const usual = ({ good }: { readonly good: readonly Case[] }): Case | undefined =>
  good.find(({ wire }) => wire !== undefined) ?? good[0]

export async function tellWhyUnreachable (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows.filter(takesPrinter)) {
    const trial = usual(casesOf(row))
    if (trial === undefined || row.path === '/api/toggle_active_tool') continue
    const reply = await fleet.inject(requestOf(row, wayOf(row, trial), { ...trial.params, printer: GONE }))
    wrongWhileGone(t, fleet, row, reply)
  }
}

function wrongWhileGone (t: Test, { session }: Fleet, row: HttpRow, reply: Reply): void {
  const { good, gone = good.some(({ wire }) => wire !== undefined) ? 'refused' : 'works' } = casesOf(row)
  const failing = (start: RegExp) => row.faults.find(({ body }) => start.test(body?.reason ?? body?.error ?? '')) ?? X
  switch (gone) {
    case 'works': return t.same(wrongSuccess(row, reply), [], idOf(row)) as unknown as undefined
    case 'refused':
      t.same(wrongFault(N, reply, { printer: GONE }), [], idOf(row))
      t.match(reply.body, { detail: /nothing answers on that port/ }, 'it says why')
      return
    case 'no history':
      t.match(reply, { status: 200, body: { error: `Printer '${GONE}' not connected` } }, idOf(row))
      return
    case 'no project':
      t.same(wrongFault(failing(/^No Job/), reply), [], idOf(row))
      return
    case 'no address':
      t.match(reply, { status: 400, body: { status: 'error', error: 'not_connected' } }, idOf(row))
      return
    case 'no card':
      isCardFault(t, row, reply)
      return
    case 'no picture':
      t.same(wrongFault(failing(/^stream_failed/), reply), [], idOf(row))
      return
    case 'no data': {
      const fault = row.faults.find(({ status, body }) => status === 304 || body?.reason === 'no data') ?? X
      t.same(wrongFault(fault, reply), [], idOf(row))
      if (fault !== NO_LIVE_DATA) t.match(reply.body, { printer: { _service_state: session(GONE).service } })
    }
  }
}

export async function passOnRefusals (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows) {
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
}

export async function tellSignaturesApart (t: Test, { inject }: Fleet, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows.filter(takesPrinter)) {
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
}

const isBlocking = ({ body }: HttpRow['faults'][number]): boolean => body?.reason?.startsWith('Blocked') === true

/** @returns the paths that are blocked while a job starts or runs */
export async function blockWhilePrinting (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<string[]> {
  const blocked = rows.filter(({ faults }) => faults.some(isBlocking))
  await fleet.become('idle', ['p1s', 'h2d'])
  await fleet.become('running', ['h2d'])
  fleet.of('p1s').startJob()
  t.ok(await fleet.session('p1s').until(({ job }) => job.gcodeState === 'PREPARE', 2_000))
  await inVain(t, fleet, async () => {
    for (const row of blocked) {
      const fault = row.faults.find(isBlocking) ?? X
      const [{ params } = { params: {} }] = casesOf(row).good
      for (const [printer, state] of [['p1s', 'PREPARE'], ['h2d', 'RUNNING']] as const) {
        for (const way of waysFor(row, { params })) {
          const reply = await fleet.inject(requestOf(row, way, { ...params, printer }))
          t.same(wrongFault(fault, reply, { printer, state }), [], `${idOf(row)} as ${way} while ${state}`)
        }
        const nothing = Object.fromEntries(Object.keys(params).map(name => [name, '']))
        const { status } = await fleet.inject(requestOf(row, 'json', { ...nothing, printer }))
        t.equal(status, 400, 'a bad parameter comes before the state of the printer')
      }
    }
  })
  return blocked.map(({ path }) => path)
}

/** What is answered from our own records, whatever becomes of the session. */
const OWN_RECORDS = /^\/api\/(alerts|monitoring_\w+|charts\w*|stop_stream)$/

const asksSession = ({ faults, path }: HttpRow): boolean =>
  faults.includes(N) && faults.includes(X) && !OWN_RECORDS.test(path)

/** Something unforeseen is told without its stack, unless somebody debugs. */
export async function hideStacks (t: Test, rows: readonly HttpRow[]): Promise<void> {
  const { kernel } = await boot(t, {
    models: ['P1S'], wait: false, dependencies: { createSession: brokenSession }, preset: quietDaemon(testFolder(t))
  })
  for (const level of ['ERROR', 'DEBUG'] as const) {
    kernel.logs.setLevel('service', level)
    for (const row of rows.filter(asksSession)) {
      const trial = casesOf(row).good[0] ?? { params: {} }
      const { statusCode, body } = await kernel.app.inject(requestOf(row, wayOf(row, trial), trial.params))
      const { stacktrace, ...rest } = JSON.parse(body) as { stacktrace: string }
      t.equal(statusCode, 500, `${idOf(row)}: ${body}`)
      t.same(rest, { status: 'error', message: 'Error: crossed wires', reason: 'Error: crossed wires' }, idOf(row))
      t.equal(/\n\s+at /.test(stacktrace), level === 'DEBUG', `${idOf(row)} at ${level}`)
    }
  }
}

/** The listing that failed, or what else was done with the card. */
function isCardFault (t: Test, row: HttpRow, reply: Reply): void {
  const known = row.faults.filter(({ status }) => status === 502)
  t.ok(known.some(fault => wrongFault(fault, reply).length === 0), `${idOf(row)}: ${reply.status} ${reply.text.slice(0, 200)}`)
}

const NO_LISTING = 'SD card listing failed'
const changesCard = ({ faults, path }: HttpRow): boolean =>
  faults.some(({ body }) => body?.reason?.startsWith('<what>')) && !path.includes('download')

const WRITING = ['MKD', 'STOR', 'RNFR', 'DELE']

/** A card that cannot be listed, and one that cannot be written: each is told, and the session lives on. */
export async function tellCardFailures (t: Test, fleet: Fleet, rows: readonly HttpRow[]): Promise<void> {
  const name = 'x1c'
  await fleet.become('idle', [name])
  const { card } = fleet.of(name)
  const ask = async (row: HttpRow) => {
    const trial = usual(casesOf(row))
    if (trial === undefined) return
    const reply = await fleet.inject(requestOf(row, wayOf(row, trial), named(row, trial.params, name)))
    isCardFault(t, row, reply)
  }
  const lift = card.fault({ command: 'LIST', reply: '522 no session was reused' })
  await fleet.session(name).card.list().catch(() => {})
  for (const row of rows.filter(({ faults }) => faults.some(({ body }) => body?.reason === NO_LISTING))) await ask(row)
  lift()
  for (const row of rows.filter(changesCard)) {
    await fleet.furnish(name, usual(casesOf(row))?.has ?? {})
    const lifts = WRITING.map(command => card.fault({ command, reply: '552 no room' }))
    await ask(row)
    for (const lift of lifts) lift()
  }
  t.equal(fleet.session(name).live, true)
}
