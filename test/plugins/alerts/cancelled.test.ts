import t from 'tap'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const CANCELLED = 0x0300400C
const ECHO = { attr: 0x0C000000, code: 0x0003001B }
const begin = async (t: import('tap').Test): Promise<Booted> => {
  const booted = await boot(t, { models: [{ model: 'P1S', name: 'p1s', reportEveryMs: 50 }] })
  const { printer, kernel } = booted
  printer.patch({ gcode_state: 'RUNNING', subtask_name: 'x', print_error: 0, mc_percent: 57, hms: [] })
  await eventually(() => kernel.printers.get('p1s')?.state?.job.gcodeState === 'RUNNING')
  await eventually(async () => (await newest(booted))?.result === 'running')
  return booted
}
const newest = async ({ http }: Booted) => (await http('GET', '/api/history')).body.prints[0]
const logged = async ({ http }: Booted) => (await http('GET', '/api/alert_log')).body

for (const [way, ...reports] of [
  ['with its echo in the health list', { gcode_state: 'FAILED', print_error: CANCELLED, mc_percent: 0, hms: [ECHO] }],
  ['that ends as idle', { gcode_state: 'IDLE', print_error: CANCELLED, mc_percent: 0 }, { print_error: 0 }],
  ['whose number comes late', { gcode_state: 'FAILED', mc_percent: 0 }, { print_error: CANCELLED }]
] as [string, ...Record<string, unknown>[]][]) {
  t.test(`a stop at the printer's screen ${way} is a cancellation everywhere`, async t => {
    const booted = await begin(t)
    const { http, printer, tool, kernel } = booted
    for (const report of reports) {
      const seen = kernel.printers.get('p1s')?.state
      printer.patch(report)
      await eventually(() => kernel.printers.get('p1s')?.state?.job !== seen?.job || kernel.printers.get('p1s')?.state?.errors !== seen?.errors)
    }
    await eventually(async () => (await newest(booted))?.result === 'cancelled')
    t.match(await newest(booted), { result: 'cancelled', ended_by: 'elsewhere', percent: 57, faults: [] })
    t.match((await http('GET', '/api/fleet')).body.printers[0], {
      condition: 'cancelled', problem: null, job: { percent: 57 }
    })
    t.match((await tool('get_print_progress', { name: 'p1s' })).value, { cancelled: true, print_percentage: 57 })
    await eventually(async () => (await logged(booted)).unacknowledged === 0)
    const { alerts } = await logged(booted)
    t.match(alerts[0], { type: 'job_failed', tone: 'plain', payload: { cancelled: true, percent: 57 } })
    t.same(alerts.filter(({ type }: { type: string }) => type === 'hms_error_new'), [], 'a stop is no fault')
    t.equal(alerts.length, 1)
    const pending = (await http('GET', '/api/alerts')).body as unknown as { severity: string, type: string, payload: object }[]
    t.match(pending.filter(({ type }) => type === 'job_failed').at(-1), { severity: 'medium', payload: { cancelled: true } })
  })
}

t.test('a job that was stopped from here is cancelled, also where the printer says FINISH', async t => {
  const booted = await begin(t)
  const { http, printer, kernel } = booted
  printer.faults.refuse('stop', { result: 'success', reason: 'success' }) // it says so itself, below
  t.equal((await http('POST', '/api/stop_printing')).status, 200)
  printer.patch({ gcode_state: 'FINISH', mc_percent: 100 })
  await eventually(async () => (await newest(booted))?.result === 'cancelled')
  t.match(await newest(booted), { ended_by: 'http (local)', percent: 57, faults: [] })
  t.match((await http('GET', '/api/fleet')).body.printers[0], { condition: 'cancelled', problem: null, job: { percent: 57 } })
  await eventually(async () => (await logged(booted)).alerts.length > 0)
  t.match((await logged(booted)).alerts, [{ type: 'job_failed', tone: 'plain', payload: { cancelled: true, percent: 57 } }])
  t.equal(kernel.printers.get('p1s')?.state?.job.cancelled, true)
})
