import t from 'tap'
import type { PrinterSession } from '../../../core/index.js'
import type { QueueStatus } from '../../../plugins/queue/index.js'
import { summaryOf } from '../../../plugins/overview/summary.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

const PLATE: QueueStatus = { plate: 'used', job: '', state: '', open_jobs: 0, copies_wait: false, stopped: null }

t.test('what needs a person, and where a job could start', async t => {
  const { kernel, printer } = await boot(t, { models: [{ model: 'X1C', name: 'x1c' }], config: { dataDir: testFolder(t) } })
  const session = kernel.printers.resolve('x1c')
  const of = (queue: QueueStatus | undefined, shown: PrinterSession = session) => {
    const { needs_person: needs, is_free: isFree } =
      summaryOf(shown, { hms: kernel.hms, now: kernel.now, queueOf: () => queue }, [])
    return [needs, isFree]
  }
  const NEEDS = [true, false]
  const FREE = [false, true]
  const BUSY = [false, false]
  t.same(of(undefined), FREE, 'without a queue')
  t.same(of(PLATE), FREE, 'nothing waits for its plate')
  t.same(of({ ...PLATE, copies_wait: true }), NEEDS, 'jobs wait for its plate')
  t.same(of({ ...PLATE, copies_wait: true, plate: 'clear' }), FREE, 'its plate is confirmed')
  t.same(of({ ...PLATE, state: 'sending' }), BUSY, 'a job is being started')
  t.same(of({ ...PLATE, stopped: { at: 1, failures: 2, reason: '' } }), NEEDS, 'it is held after failures')
  t.same(of({ ...PLATE, state: 'unknown' }), NEEDS, 'nobody knows what became of a copy')
  const start = { taskId: '1', subtaskName: 'a', at: 0, accepted: true, before: undefined, outcome: undefined, printError: 0 }
  const pending = Object.create(session, { context: { value: { ...session.context, start } } }) as PrinterSession
  t.same(of(undefined, pending), BUSY, 'a start is pending')
  printer.patch({ gcode_state: 'FINISH', subtask_name: 'a' })
  await eventually(() => session.state?.job.gcodeState === 'FINISH')
  t.same(of(undefined), NEEDS, 'a part lies on it')
  t.same(of({ ...PLATE, plate: 'clear' }), FREE, 'it was taken away')
})
