import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

t.test('alerts of jobs name the plate also where the printer does not and its project has one', async t => {
  const models = (['A1', 'A1_MINI', 'P1S'] as const).map(model => ({ model, reportEveryMs: 100, sdCard: { samples: true } }))
  const { printers, kernel } = await boot(t, { models })
  const { alerts, projects } = kernel.services
  for (const printer of printers) {
    const session = kernel.printers.resolve(printer.name)
    printer.startJob({ name: 'calibration-cube', minutes: 6_000 })
    await eventually(() => Boolean(projects.ofJob(session).info), 60_000)
    t.equal(session.state?.job.plate, -1, `${printer.name} says nothing of it`)
    printer.stopJob()
    await eventually(() => alerts.queue.peek(printer.name).some(({ type }) => type === 'job_failed'))
    t.match(alerts.queue.peek(printer.name).find(({ type }) => type === 'job_failed')?.payload, { cancelled: true, plate_num: 1 })
  }
})
