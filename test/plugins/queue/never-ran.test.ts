import t from 'tap'
import { queueWith } from '../../../plugins/queue/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import { add, clear, FAST, queueOf, sent, sliced, start, timing, until, upload } from './helpers.js'

const UNPRINTABLE = 0x05004003

t.test('a print that the printer took and never ran is not done, and a person is asked', async t => {
  const preset = recordedWith(queueWith({ ...timing, startMs: 5_000, settleMs: 100, retryMs: 50 }))
  const booted = await start(t, { preset, config: { dataDir: testFolder(t) } })
  const { printer, http, kernel } = booted
  printer.startJob({ name: 'before', minutes: 5 })
  await eventually(() => kernel.printers.resolve('x1c').state?.job.gcodeState === 'FINISH')
  await upload(booted, sliced())
  let starts = 0
  for (const state of ['FINISH', 'FAILED'] as const) {
    for (const prepares of [false, true]) {
      const title = `${state} at 0 %${prepares ? ' after it was prepared' : ''}`
      printer.faults.startOddly({ kind: 'stillborn', state, error: UNPRINTABLE, afterMs: 500 * FAST.speed, prepares })
      const { id } = await add(booted, { file: 'cube.gcode.3mf', job_name: title })
      await eventually(async () => (await clear(booted, 'x1c')).status === 200)
      const job = await until(booted, id, ({ runs }) => /cannot make sense of the file/.test(JSON.stringify(runs)))
      t.equal(job.finished, 0, title)
      t.equal(sent(printer).length, ++starts, title)
      await printer.faults.clear()
      if (state === 'FAILED') {
        t.match(job.runs, [{ state: 'failed' }], title)
        await http('POST', '/api/clear_print_error', { printer: 'x1c' })
        continue
      }
      t.match(job.runs, [{ state: 'unknown' }], title)
      const row = async () => (await queueOf(booted)).printers[0]
      t.match(await row(), { outcome_wanted: true, is_ready: false, reason: /^it is unknown whether 'FINISH at 0 %/ }, title)
      t.match(await clear(booted, 'x1c'), { status: 409, body: { error: 'queue_outcome' } }, title)
      await http('POST', '/api/clear_print_error', { printer: 'x1c' })
      t.match(await clear(booted, 'x1c', { outcome: 'not_printed' }), { status: 200 }, title)
      t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 1 }, title)
      t.equal(sent(printer).length, ++starts, title)
    }
  }
})

t.test('without an error, and with one that comes after the question, the answer is a person\'s as well', async t => {
  const preset = recordedWith(queueWith({ ...timing, startMs: 300, settleMs: 100 }))
  const booted = await start(t, { preset, config: { dataDir: testFolder(t) } })
  const { printer } = booted
  printer.faults.startOddly({ kind: 'stillborn', state: 'FINISH', error: 0, afterMs: 1 })
  await upload(booted, sliced())
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  await until(booted, id, ({ runs }) => runs[0]?.state === 'unknown' && runs[0].reason === 'the printer reports nothing about it')
  printer.patch({ print_error: UNPRINTABLE })
  const told = await until(booted, id, ({ runs }) => runs[0]?.reason !== 'the printer reports nothing about it')
  t.match(told.runs, [{ state: 'unknown', reason: /cannot make sense of the file/ }])
})
