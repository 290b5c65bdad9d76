import t from 'tap'
import { queueWith, why } from '../../../plugins/queue/index.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import { add, clear, queueOf, sent, sliced, start, timing, until, upload } from './helpers.js'

t.test('what holds a printer back while a file is on its way to it withdraws the start', async t => {
  const groups = [{ name: 'room', printers: ['x1c'] }]
  const preset = recordedWith(queueWith({ ...timing, retryMs: 20 }))
  const booted = await start(t, { preset, config: { plugins: { queue: { groups } }, dataDir: testFolder(t) } })
  const { http, printer, kernel: { services: { queue } } } = booted
  /** Done while the plate is prepared, before it is uploaded. */
  let meanwhile: () => unknown = () => {}
  queue.platesClearedBy({
    handles: () => false,
    alerts: () => false,
    async prepare (_session, _run, path) {
      await meanwhile()
      return path
    }
  })
  let isHeld = false
  queue.heldBackBy(() => isHeld ? why('maintenance_due', { task: 'Grease' }) : undefined)
  const pause = (of: string) => (paused: boolean) => http('POST', '/api/queue/pause', { ...of !== '' && { of }, paused })
  const hold = (on: boolean) => { isHeld = on }
  await upload(booted, sliced())
  const cases = [[pause('x1c'), /paused/], [pause('room'), /paused/], [pause(''), /paused/], [hold, /held back.*Grease/]] as const
  meanwhile = () => cases[0][0](true)
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  for (const [at, [change, reason]] of cases.entries()) {
    const { runs } = await until(booted, id, ({ runs }) => runs[at]?.state === 'not_started')
    t.match(runs[at], { reason })
    t.equal(sent(printer).length, 0, 'nothing was sent')
    t.match((await queueOf(booted)).printers[0], { plate: 'clear', is_ready: false })
    meanwhile = () => cases[at + 1]?.[0](true)
    await change(false)
  }
  t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 1 })
  t.equal(sent(printer).length, 1)
})
