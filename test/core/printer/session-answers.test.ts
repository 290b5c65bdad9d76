import t, { type Test } from 'tap'
import type { Command } from '../../../core/printer/mqtt/command.js'
import { eventually } from '../../helpers/eventually.js'
import { openSession, startPrinter } from './helpers/session.js'

const HOME: Command = { section: 'print', command: 'gcode_line', param: 'G28\n' }
const SPEED: Command = { section: 'print', command: 'print_speed', param: '3' }
const LIGHT: Command = { section: 'system', command: 'ledctrl', led_node: 'chamber_light', led_mode: 'on' }
/** Shorter than the silence after which a session asks for reports. */
const STEP_MS = 10_000

/** A virtual printer that reports all the time, and a session that waits for answers only for a moment. */
async function setup (t: Test) {
  const printer = await startPrinter(t, { model: 'X1C' })
  const opened = openSession(t, { serial: printer.serial, port: printer.ports.mqtt, timeouts: { answerMs: 200 } })
  const { session } = opened
  await eventually(() => session.live && session.state?.firmware.printer !== '')
  const problems: string[] = []
  session.events.on('problem', problem => problems.push(problem?.code ?? 'over'))
  let wifi = 30
  return {
    ...opened,
    printer,
    problems,
    connections: () => opened.services.filter(service => service === 'CONNECTED').length,
    versionRequests: () => printer.requests.filter(({ command }) => command === 'get_version').length,
    /** Moves the clock ahead while reports go on. */
    async pass (ms: number) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        const before = session.lastMessageAt ?? 0
        opened.advance(Math.min(STEP_MS, left))
        printer.patch({ wifi_signal: `-${wifi++}dBm` })
        await eventually(() => (session.lastMessageAt ?? 0) > before)
      }
    }
  }
}

t.test('a session that reports but takes no commands is opened anew, and told of', async t => {
  const { session, printer, problems, connections, versionRequests, pass, log } = await setup(t)
  const lift = printer.faults.ignore('*', { acts: false })
  const asked = versionRequests()
  for (const command of [HOME, SPEED, LIGHT]) await session.perform('to do it', command)
  await pass(11_000)
  await eventually(() => versionRequests() > asked)
  t.equal(connections(), 1)
  await pass(10_000)
  t.equal(session.problem, undefined)
  await pass(6_000)
  await eventually(() => connections() === 2)
  t.match(session.problem, { code: 'takes_no_commands', message: /answers no command/ })
  t.ok(log.lines.some(({ problem }) => problem === 'takes_no_commands'))
  await eventually(() => session.live)
  t.equal(session.problem?.code, 'takes_no_commands', 'reports alone do not end it')
  await pass(70_000)
  await eventually(() => connections() === 3)
  t.equal(session.problem?.code, 'takes_no_commands')
  lift()
  await eventually(() => session.live)
  await pass(10_000)
  await eventually(() => session.problem === undefined)
  t.strictSame(problems, ['takes_no_commands', 'over'])
  t.strictSame(await session.perform('to home', HOME), { confirmed: true })
})

t.test('a printer that answers one command in three keeps its session', async t => {
  const { session, printer, connections, pass } = await setup(t)
  printer.faults.ignore('gcode_line')
  for (let round = 0; round < 3; round++) {
    for (const command of [HOME, SPEED, HOME]) await session.perform('to do it', command)
    await pass(30_000)
  }
  t.equal(connections(), 1)
  t.equal(session.problem, undefined)
})
