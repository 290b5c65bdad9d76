import t from 'tap'
import type { StartRecord } from '../../../../core/index.js'
import { identityOf, verdictOf, type Observation } from '../../../../plugins/queue/run-verdict.js'
import type { Run } from '../../../../plugins/queue/types.js'

const LIMITS = { startMs: 120_000, settleMs: 3_000, unansweredMs: 600_000 }
const BEFORE = { taskId: '7', subtaskId: '7', subtaskName: 'old', gcodeState: 'FINISH', cancelled: false, percent: 100, layer: 9, totalLayers: 9 }
const OURS = { taskId: '42', subtaskId: '42', subtaskName: 'cube-1', gcodeState: 'RUNNING', cancelled: false, percent: 40, layer: 4, totalLayers: 9 }

const run = (state: Run['state']): Run => ({
  id: 'r',
  job: 'j',
  serial: 's',
  printer: 'p',
  state,
  owner: 'o',
  task: 42,
  file: 'f',
  plate: 1,
  path: '/cube-1.gcode.3mf',
  before: identityOf(BEFORE),
  seconds: 600,
  createdAt: 0,
  sentAt: 0,
  endedAt: undefined,
  reason: '',
  print: ''
})

const start = (rest: Partial<StartRecord> = {}): StartRecord => ({
  taskId: '42', subtaskName: 'cube-1', at: 0, accepted: true, before: undefined, outcome: undefined, printError: 0, ...rest
})

const observe = (job: Observation['job'], rest: Partial<Observation> = {}): Observation => ({
  job,
  identity: identityOf(job),
  sinceSent: 200_000,
  watchedMs: 200_000,
  settledMs: 200_000,
  isBeingStarted: false,
  start: start(),
  ran: undefined,
  hasError: false,
  ...rest
})

const BLANK = { taskId: '0', subtaskId: '', subtaskName: '', gcodeState: 'IDLE', cancelled: false, percent: 0, layer: 0, totalLayers: 0 }
const FOREIGN = { ...OURS, taskId: '9', subtaskId: '9', subtaskName: 'theirs' }

const END = { ...OURS, gcodeState: 'FINISH', percent: 100, layer: 9 }
const STILLBORN = { ...OURS, gcodeState: 'FINISH', percent: 0, layer: 0, totalLayers: 0 }
const FAILED = { ...STILLBORN, gcodeState: 'FAILED' }
const BEGAN = { start: start({ outcome: 'began' }) }
const ENDED = { start: start({ outcome: 'ended' }) }
const BROKE = { start: start({ outcome: 'failed', printError: 0x05004003 }), hasError: true }
const UNANSWERED = { start: start({ accepted: false }) }
const RAN = { ran: { percent: 97, layer: 8, hasRun: true } }
const LONG = { sinceSent: 700_000, watchedMs: 700_000 }
const FRESH = { settledMs: 500 }

t.test('the report decides what became of a run', async t => {
  const cases = [
    ['ours is printed', 'sending', observe(OURS), 'printing'],
    ['by name, where no numbers are reported', 'sending', observe({ ...OURS, taskId: '0', subtaskId: '0' }), 'printing'],
    ['it is known to print', 'printing', observe(OURS), undefined],
    ['it has ended', 'printing', observe(END), 'finished'],
    ['it has failed', 'printing', observe({ ...OURS, gcodeState: 'FAILED' }), 'failed'],
    ['the number of a cancellation may follow', 'printing', observe({ ...OURS, gcodeState: 'FAILED' }, { settledMs: 0 }), undefined],
    ['it was cancelled', 'printing', observe({ ...OURS, gcodeState: 'FAILED', cancelled: true }), 'cancelled'],
    ['nobody knows, and it comes back', 'unknown', observe(OURS), 'printing'],
    ['another job is seen after ours', 'printing', observe(FOREIGN), 'unknown'],
    ['nothing was sent', 'preparing', observe(BEFORE, { sinceSent: undefined }), undefined]
  ] as const
  for (const [title, state, seen, verdict] of cases) t.equal(verdictOf(run(state), seen, LIMITS), verdict, title)
})

t.test('a start that the printer accepted waits until the printer tells of it', async t => {
  const cases = [
    ['still the job of before', observe(BEFORE), undefined],
    ['for hours', observe(BEFORE, { sinceSent: 9e6, watchedMs: 9e6 }), undefined],
    ['its names came before its state', observe(END, LONG), undefined],
    ['the names came, and the job before had failed', observe(FAILED, LONG), undefined],
    ['this service is at it', observe(BEFORE, { isBeingStarted: true }), undefined],
    ['the screen was closed', observe({ ...BEFORE, gcodeState: 'IDLE' }), undefined],
    ['the printer was switched off', observe(BLANK, { start: start({ outcome: 'restarted' }) }), 'not_started'],
    ['it was off for long', observe(BLANK, { start: start({ outcome: 'restarted' }), ...LONG, watchedMs: 1_000 }), 'unknown'],
    ['it was refused', observe(BEFORE, { start: start({ outcome: 'refused' }) }), 'not_started'],
    ['a person gave it up', observe(BEFORE, { start: start({ outcome: 'given_up' }) }), 'not_started'],
    ['never answered: wait', observe(BEFORE, UNANSWERED), undefined],
    ['never answered, and no news for long', observe(BEFORE, { ...UNANSWERED, ...LONG }), 'not_started'],
    ['never answered, but nobody looked', observe(BEFORE, { ...UNANSWERED, ...LONG, watchedMs: 1_000 }), undefined],
    ['never answered, and something else was printed', observe({ ...FOREIGN, gcodeState: 'FINISH' }, { ...UNANSWERED, ...LONG }), 'unknown'],
    ['another job runs', observe(FOREIGN, { start: start({ outcome: 'other' }) }), 'unknown'],
    ['somebody else sent another one', observe(BEFORE, { start: undefined }), undefined],
    ['and that one runs', observe(FOREIGN, { start: undefined }), 'unknown']
  ] as const
  for (const [title, seen, verdict] of cases) t.equal(verdictOf(run('sending'), seen, LIMITS), verdict, title)
})

t.test('a copy is done only when it was seen to run and its end is that of a complete print', async t => {
  const cases = [
    ['it was short', 'sending', observe(END, { ...BEGAN, ...RAN, ...FRESH }), 'finished'],
    ['the service was off at its end', 'sending', observe(END, BEGAN), 'finished'],
    ['nobody saw it run', 'sending', observe(END, ENDED), 'unknown'],
    ['it was only prepared', 'sending', observe(END, { ...BEGAN, ran: { percent: 0, layer: 0, hasRun: false } }), 'unknown'],
    ['ended at 0 %: an error may follow', 'sending', observe(STILLBORN, { ...ENDED, ...FRESH }), undefined],
    ['ended at 0 %: no error followed', 'sending', observe(STILLBORN, ENDED), 'unknown'],
    ['ended at 0 % with an error', 'sending', observe(STILLBORN, { ...BROKE, settledMs: 5_000 }), 'unknown'],
    ['failed at 0 % with an error', 'sending', observe(FAILED, { ...BROKE, settledMs: 5_000 }), 'failed'],
    ['failed at 0 %: an error may follow', 'sending', observe(FAILED, { start: start({ outcome: 'failed' }), ...FRESH }), undefined],
    ['prepared, then ended at 0 %', 'printing', observe(STILLBORN), 'unknown'],
    ['prepared, then ended at 0 %: an error may follow', 'printing', observe(STILLBORN, { settledMs: 5_000 }), undefined],
    ['it stopped half way and says that it is done', 'printing', observe({ ...END, percent: 40, layer: 4 }), 'unknown'],
    ['the printer forgets percent and layers', 'printing', observe({ ...STILLBORN, totalLayers: 9 }, RAN), 'finished'],
    ['layers tell, where there are no percents', 'printing', observe({ ...END, percent: 0 }), 'finished'],
    ['nobody knew, and it has ended', 'unknown', observe(END, RAN), 'finished'],
    ['nobody knows, and it was never seen to run', 'unknown', observe(END), undefined],
    ['nobody knows, and it ended at 0 %', 'unknown', observe(STILLBORN), undefined]
  ] as const
  for (const [title, state, seen, verdict] of cases) t.equal(verdictOf(run(state), seen, LIMITS), verdict, title)
})
