// A day at the printer, over both interfaces: what is asked for is seen in the state that the printer reports.
import t, { type Test } from 'tap'
import type { VirtualPrinter } from '../plugins/emulator/index.js'
import { boot, type Booted } from './helpers/boot.js'
import { eventually } from './helpers/eventually.js'

const SPEED = 60
const JOB = { name: 'walk', layers: 100, minutes: 60, objects: [11, 12] }

/** The acts of the walk, as one interface has them; each rejects when it is refused. */
interface Hands {
  bed (celsius: number): Promise<unknown>
  light (on: boolean): Promise<unknown>
  fan (percent: number): Promise<unknown>
  pause (): Promise<unknown>
  resume (): Promise<unknown>
  skip (object: number): Promise<unknown>
  stop (): Promise<unknown>
  /** What the interface itself says of the job and of the climate. */
  seen (): Promise<Seen>
}
interface Seen { readonly state: string, readonly bed: number, readonly light: boolean, readonly percent: number }

function overHttp ({ http, name: printer }: Booted): Hands {
  const write = async (method: 'POST' | 'PATCH', path: string, params: object = {}) => {
    const { status, text } = await http(method, `/api/${path}`, { printer, ...params })
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  }
  return {
    bed: temp => write('PATCH', 'set_bed_target_temp', { temp }),
    light: on => write('PATCH', 'set_light_state', { state: on ? 'on' : 'off' }),
    fan: percent => write('PATCH', 'set_fan_speed_target', { percent }),
    pause: () => write('POST', 'pause_printing'),
    resume: () => write('POST', 'resume_printing'),
    skip: object => write('POST', 'skip_objects', { objects: String(object) }),
    stop: () => write('POST', 'stop_printing'),
    async seen () {
      const { body } = await http('GET', '/api/printer', { printer })
      const { _printer_state: state, _active_job_info: job, _light_state: light } = body
      return {
        state: state.gcode_state,
        bed: state.climate.bed_temp_target,
        light: light === 'on',
        percent: job.print_percentage
      }
    }
  }
}

function overMcp ({ tool, name }: Booted): Hands {
  const use = async (tooled: string, args: object = {}) => {
    const { failed, text } = await tool(tooled, { name, user_permission: true, ...args })
    if (failed) throw new Error(`${tooled}: ${text}`)
  }
  return {
    bed: temp => use('set_bed_temp', { temp }),
    light: on => use('set_chamber_light', { on }),
    fan: percent => use('set_fan_speed', { fan: 'part_cooling', speed_percent: percent }),
    pause: () => use('pause_print'),
    resume: () => use('resume_print'),
    skip: object => use('skip_objects', { object_list: [object] }),
    stop: () => use('stop_print'),
    async seen () {
      const state = (await tool('get_printer_state', { name })).value
      const job = (await tool('get_job_info', { name })).value
      const light = (await tool('get_chamber_light', { name })).value
      const climate = (await tool('get_climate', { name })).value
      return { state: state.gcode_state, bed: climate.bed.target, light: light.on, percent: job.print_percentage }
    }
  }
}

const param = (printer: VirtualPrinter) => printer.requests.map(({ body }) => String(body.param ?? ''))

async function walk (t: Test, { kernel, printer, name }: Booted, hands: Hands): Promise<void> {
  const session = kernel.printers.get(name)
  const state = () => session?.state?.job.gcodeState
  const soon = (test: () => unknown, what: string) =>
    eventually(test, 10_000).then(() => t.pass(what), () => t.fail(`${what}: never`))

  await hands.bed(60)
  await soon(() => session?.state?.heat.bed.target === 60, 'the bed heats')
  await hands.light(false)
  await soon(() => session?.state?.lights.mode === 'off', 'the light is off')
  t.match(await hands.seen(), { bed: 60, light: false })
  await hands.fan(50)
  await soon(() => session?.state?.fans.partTarget === 50, 'the fan is to run at half speed')
  t.ok(param(printer).some(text => /^M106 P1 S12[78]\n?$/.test(text)), 'and the printer was told so')

  printer.startJob(JOB)
  await soon(() => state() === 'RUNNING', 'a job runs')
  await soon(() => (session?.state?.job.layer ?? 0) > 0, 'layer by layer')
  t.match(await hands.seen(), { state: 'RUNNING' })

  await hands.pause()
  await soon(() => state() === 'PAUSE', 'it pauses')
  const { percent } = await hands.seen()
  t.match(await hands.seen(), { state: 'PAUSE', percent }, 'and stands still')
  await hands.skip(12)
  await soon(() => session?.state?.job.skippedObjects.includes(12), 'an object is skipped')
  await hands.resume()
  await soon(() => state() === 'RUNNING', 'it goes on')
  await soon(() => (session?.state?.job.percent ?? 0) > percent, 'and on')
  await hands.stop()
  await soon(() => state() === 'FAILED', 'it is stopped')
  await soon(() => (session?.state?.heat.bed.target ?? 0) === 0, 'and cools down')
}

for (const [by, hands] of [['HTTP', overHttp], ['MCP', overMcp]] as const) {
  t.test(`a walk over ${by}`, { timeout: 90_000 }, async t => {
    const booted = await boot(t, {
      models: [{ model: 'X1C', speed: SPEED }],
      config: { plugins: { mcp: { envelope: false } } }
    })
    await walk(t, booted, hands(booted))
  })
}
