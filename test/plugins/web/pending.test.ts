import t from 'tap'
import { pendingStart } from '../../../core/index.js'
import { eventually } from '../../helpers/eventually.js'
import { noBrowser } from '../charts/chromium.js'
import { bootWeb } from './boot.js'
import { asksFirst, barriers, card, deskIn, press, received, said } from './desk.js'

const open = deskIn(t)
const MODEL = { model: 'P1S', name: 'p1s', reportEveryMs: 100, speed: 600, sdCard: { samples: true } } as const

t.test('a start that the printer does not show yet is told, and given up only after a warning', { skip: noBrowser }, async t => {
  const booted = await bootWeb(t, { models: [MODEL], camera: false })
  const { http, printer, kernel } = booted
  const session = kernel.printers.resolve('p1s')
  printer.startJob({ name: 'before', minutes: 5 })
  await eventually(() => session.state?.job.gcodeState === 'FINISH', 30_000)
  const { page, pageErrors } = await open(t, booted)
  const job = card(page, 'Job')
  t.equal(await job.getByRole('button', { name: 'Give up this start' }).count(), 0)

  const lift = printer.faults.startOddly({ kind: 'late' })
  const start = { filename: '/calibration-cube.gcode.3mf', platenum: 1, use_ams: true, accept_mismatch: true }
  const answered = http('POST', '/api/print_3mf', start)
  await job.getByText(/^The printer has accepted “calibration-cube” at .*Nothing else is sent until it begins/).waitFor()
  t.same(await barriers(page), [])
  const isAwaited = () => pendingStart(session.context.start, kernel.now()) !== null
  await asksFirst(t, page, () => press(page, 'Give up this start'), 'Give up this start', () => isAwaited() ? 0 : 1)
  await said(page, 'Start given up')
  await job.getByRole('button', { name: 'Give up this start' }).waitFor({ state: 'detached' })
  t.equal(received(printer, 'project_file').length, 1)
  await answered
  lift()
  t.same(pageErrors, [])
})
