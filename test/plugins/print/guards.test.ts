import t from 'tap'
import { notPrinting } from '../../../core/index.js'
import { createSession } from '../../../core/printer/index.js'
import { hasJob } from '../../../plugins/print/checks.js'
import { skipObjects, stopPrint } from '../../../plugins/print/operations.js'
import { createManualClock } from '../../../presets/testing/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

const PRINT = { filename: '/desk-organiser.gcode.3mf', platenum: 2, use_ams: true }
const GCODE = { gcode: 'G28' }

t.test('a paused session: what goes by the state is refused, the rest is not', async t => {
  const { http, tool, printer, kernel, name } = await boot(t, { models: [{ model: 'H2D', sdCard: { samples: true } }] })
  const commands = () => printer.requests.filter(({ section }) => section === 'print' || section === 'system')
    .map(({ command }) => command)
  await kernel.printers.resolve(name).pause()
  printer.startJob({ name: 'vase' })
  const paused = { status: 409, body: { error: 'state_not_current', reason: /its session is paused\. Resume it \(PATCH \/api\/toggle_session/ } }
  t.match(await http('POST', '/api/print_3mf', PRINT), paused)
  t.match(await http('POST', '/api/send_gcode', GCODE), paused)
  t.match(await http('PATCH', '/api/toggle_active_tool'), paused)
  t.match(await http('POST', '/api/unload_filament'), paused)
  t.match(await http('POST', '/api/load_filament', { slot: 0 }), paused)
  const allowed = { name, user_permission: true }
  for (const [asked, args] of [['send_gcode', GCODE], ['swap_tool', {}], ['load_filament', { unit_id: 0, slot_id: 0 }], ['unload_filament', {}]] as const) {
    t.match((await tool(asked, { ...allowed, ...args })).text, /session is paused\. Resume it/, asked)
  }
  t.same(commands(), [], 'nothing was sent')
  t.match(await http('PATCH', '/api/set_light_state', { state: 'on' }), { status: 200 })
  t.match(await http('PATCH', '/api/set_bed_target_temp', { temp: 0 }), { status: 200 })
  t.match(await http('POST', '/api/stop_printing'), { status: 200 }, 'stopping needs no state')
  t.ok(commands().includes('stop'))
})

t.test('resumed: not before the full report has come', async t => {
  const { http, printer, kernel, name } = await boot(t)
  const session = kernel.printers.resolve(name)
  await session.pause()
  printer.startJob({ name: 'vase' })
  const lift = printer.faults.silence()
  await session.resume()
  t.match(await http('POST', '/api/send_gcode', GCODE), { status: 409, body: { reason: /has not reported its state yet.*try again in a moment/ } })
  lift()
  await session.refresh()
  await eventually(() => session.live)
  t.match(await http('POST', '/api/send_gcode', GCODE), { status: 409, body: { error: 'printer_busy' } }, 'now it is known that it prints')
})

t.test('a printer that fell silent', async t => {
  const clock = createManualClock()
  const { http, printer, kernel, name } = await boot(t, {
    clock,
    dependencies: { createSession: (config, deps) => createSession(config, { ...deps, timeouts: { watchEveryMs: 5 } }) }
  })
  const session = kernel.printers.resolve(name)
  printer.faults.silence()
  let answer = await http('POST', '/api/send_gcode', GCODE)
  // A report that was on its way may still come and count as life.
  await eventually(async () => {
    if (session.live) clock.advance(31_000)
    answer = await http('POST', '/api/send_gcode', GCODE)
    return answer.status === 409
  })
  t.equal(session.service, 'CONNECTED')
  t.match(answer.body, { error: 'state_not_current', reason: /has stopped reporting its state/ })
})

t.test('without a connection nothing is connected', async t => {
  const { http, printer, kernel, name } = await boot(t)
  const session = kernel.printers.resolve(name)
  printer.faults.refuseConnections()
  printer.faults.drop()
  await eventually(() => session.service === 'DISCONNECTED')
  const gone = { status: 400, body: { status: 'error', error: 'not_connected', reason: `Printer '${name}' not connected` } }
  t.match(await http('POST', '/api/send_gcode', GCODE), gone)
  t.match(await http('POST', '/api/print_3mf', PRINT), gone)
})

t.test('a printer that has accepted a start and still shows the job before it', async t => {
  const showing = (gcodeState: string, accepted?: boolean) => ({
    session: {
      name: 'x1c',
      service: 'CONNECTED',
      live: true,
      state: { job: { gcodeState } },
      context: { start: accepted === undefined ? undefined : { subtaskName: 'vase', at: 0, accepted, outcome: undefined } }
    },
    kernel: { now: () => 60_000 }
  }) as never
  const act = {} as never
  for (const state of ['FINISH', 'IDLE', 'FAILED']) {
    t.throws(() => hasJob(showing(state), act), { code: 'PRN_ERR_NO_JOB' })
    t.doesNotThrow(() => hasJob(showing(state, true), act), `${state}: it can be stopped`)
    t.doesNotThrow(() => hasJob(showing(state, false), act), `${state}: also before it has answered`)
    t.throws(() => notPrinting(showing(state, true), act), { code: 'PRN_ERR_PRINTER_BUSY', message: /about to print 'vase'/ })
    t.doesNotThrow(() => notPrinting(showing(state), act))
  }
  t.doesNotThrow(() => notPrinting(showing('PAUSE'), act))
})

t.test('what was decided of one job is not done to the next', async t => {
  const sent: string[] = []
  const at = (startedAt?: number) => ({
    session: {
      name: 'x1c', state: { job: { startedAt } }, perform: async (what: string) => { sent.push(what); return { confirmed: true } }
    },
    optional: {}
  }) as never
  const changed = { code: 'PRN_ERR_JOB_CHANGED', statusCode: 409 }
  const began = 1_790_000_000_123
  await t.rejects(async () => await stopPrint.run(at(began + 60_000), { job_start: began / 1000 }), changed)
  await t.rejects(async () => await skipObjects.run(at(began + 60_000), { ids: [1], job_start: began / 1000 }), changed)
  t.same(sent, [])
  await stopPrint.run(at(began), { job_start: JSON.parse(JSON.stringify(began / 1000)) as number })
  await skipObjects.run(at(began), { ids: [1], job_start: began / 1000 })
  await stopPrint.run(at(began), {})
  await stopPrint.run(at(), { job_start: began / 1000 })
  t.equal(sent.length, 4, 'the job that is meant, any job, and one of which no start is known')
})
