import { randomBytes } from 'node:crypto'
import t from 'tap'
import { definePreset } from '../../../core/index.js'
import { projectsWith } from '../../../plugins/projects/index.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { without } from '../../helpers/without.js'
import { OUTSIDE_TEXT, plateArchive } from './faulty-plates.js'

/** Comments that no archive makes smaller. */
const ballast = (bytes: number): string =>
  Array.from({ length: bytes / 100 }, () => `; ${randomBytes(72).toString('base64')}`).join('\n')

const LONG = ballast(2_000_000)
/** The first piece of 256 kB comes long before a start stops waiting, and the whole file long after it. */
const BYTES_PER_SECOND = 150_000
const CARD_MS = 6_000

t.test('a start does not wait for the whole plate on a slow card', async t => {
  const { http, printer, kernel } = await boot(t, {
    preset: definePreset({
      name: 'slow', plugins: [without(featuresWith(toolpath).plugins, 'projects'), projectsWith({ cardMs: CARD_MS })]
    }),
    models: [{ model: 'X1C', name: 'x1c', speed: 20, reportEveryMs: 50 }]
  })
  const alerts: { type: string, payload: Record<string, unknown> }[] = []
  kernel.events.on('alert', alert => { alerts.push(alert as never) })
  const sent = () => printer.requests.filter(({ command }) => command === 'project_file')
  const print = async (filename: string) => await http('POST', '/api/print_3mf',
    { printer: 'x1c', filename, use_ams: true, accept_mismatch: true } as never)

  await printer.card.put('/early.3mf', plateArchive(`${OUTSIDE_TEXT}\n${LONG}`))
  await printer.card.put('/late.3mf', plateArchive(`${LONG}\n${OUTSIDE_TEXT}`))
  printer.card.bytesPerSecond = BYTES_PER_SECOND

  await t.test('what is certain by then refuses it', async t => {
    const { status, body } = await print('/early.3mf')
    t.equal(status, 409, JSON.stringify(body))
    t.match(body, { findings: [{ code: 'outside_area', layer: 2 }] })
    t.same(sent(), [])
  })

  await t.test('how far it is read can be asked for, and the last who waits cancels it', async t => {
    await printer.card.put('/watched.3mf', plateArchive(LONG))
    const controller = new AbortController()
    const reading = kernel.services.toolpath.read(kernel.printers.resolve('x1c'), '/watched.3mf', 1,
      { signal: controller.signal, isCurrent: true })
    const progress = async () => (await http('GET', '/api/toolpath/progress', { file: 'watched.3mf' })).body
    await eventually(async () => {
      const { is_reading: isReading, bytes, total } = await progress()
      return isReading && bytes > 0 && bytes < total
    }, 30_000)
    controller.abort(new Error('not needed'))
    await t.rejects(reading, { message: 'not needed' })
    await eventually(async () => !(await progress()).is_reading)
  })

  await t.test('else it starts, says so, and what is found later is an alert', async t => {
    const { status, body } = await print('/late.3mf')
    t.equal(status, 200, JSON.stringify(body))
    t.match(body, { findings: [], unread: /could not be read within 6 s; it is still being read/ })
    t.equal(sent().length, 1)
    printer.card.bytesPerSecond = Infinity
    await eventually(() => alerts.some(({ type }) => type === 'plate_fault'), 30_000)
    t.match(alerts.filter(({ type }) => type === 'plate_fault'), [
      { payload: { gcode_file: '/late.3mf', reason: /layer 2.*It goes on printing/s } }
    ])
  })
})
