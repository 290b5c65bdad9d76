import t from 'tap'
import { identityOf, judge, type Look } from '../../../plugins/queue/follow.js'
import type { Run } from '../../../plugins/queue/types.js'

const LIMITS = { startMs: 120_000, settleMs: 3_000 }
const BEFORE = { taskId: '7', subtaskId: '7', subtaskName: 'old', gcodeState: 'FINISH', cancelled: false }
const OURS = { taskId: '42', subtaskId: '42', subtaskName: 'cube-1', gcodeState: 'RUNNING', cancelled: false }

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

const look = (job: Look['job'], rest: Partial<Look> = {}): Look => ({
  job,
  identity: identityOf(job),
  sinceSent: 200_000,
  watchedMs: 200_000,
  settledMs: 200_000,
  isBeingStarted: false,
  ...rest
})

const BLANK = { taskId: '0', subtaskId: '', subtaskName: '', gcodeState: 'IDLE', cancelled: false }
const FOREIGN = { ...OURS, taskId: '9', subtaskId: '9', subtaskName: 'theirs' }

t.test('the report decides what became of a run', async t => {
  const cases = [
    ['ours is printed', 'sending', look(OURS), 'printing'],
    ['by name, where no numbers are reported', 'sending', look({ ...OURS, taskId: '0', subtaskId: '0' }), 'printing'],
    ['it is known to print', 'printing', look(OURS), undefined],
    ['it has ended', 'printing', look({ ...OURS, gcodeState: 'FINISH' }), 'finished'],
    ['it has failed', 'printing', look({ ...OURS, gcodeState: 'FAILED' }), 'failed'],
    ['the number of a cancellation may follow', 'printing',
      look({ ...OURS, gcodeState: 'FAILED' }, { settledMs: 0 }), undefined],
    ['it was cancelled', 'printing', look({ ...OURS, gcodeState: 'FAILED', cancelled: true }), 'cancelled'],
    ['its name came before its state', 'sending', look({ ...OURS, gcodeState: 'FINISH' }, { settledMs: 500 }), undefined],
    ['it ended while nobody looked', 'sending', look({ ...OURS, gcodeState: 'FINISH' }), 'finished'],
    ['nobody knows, and it comes back', 'unknown', look(OURS), 'printing'],
    ['still the job of before', 'sending', look(BEFORE), 'not_started'],
    ['too early to say', 'sending', look(BEFORE, { sinceSent: 1_000 }), undefined],
    ['not watched for long enough', 'sending', look(BEFORE, { watchedMs: 1_000 }), undefined],
    ['this service is at it', 'sending', look(BEFORE, { isBeingStarted: true }), undefined],
    ['the printer has forgotten', 'sending', look(BLANK), 'unknown'],
    ['another job has run since', 'sending', look({ ...FOREIGN, gcodeState: 'FINISH' }), 'unknown'],
    ['another job runs', 'sending', look(FOREIGN), 'unknown'],
    ['another job is seen after ours', 'printing', look(FOREIGN), 'unknown'],
    ['nothing was sent', 'preparing', look(BEFORE, { sinceSent: undefined }), undefined]
  ] as const
  for (const [title, state, seen, verdict] of cases) t.equal(judge(run(state), seen, LIMITS), verdict, title)
})

t.test('a printer that tells of no job before and after is only trusted if it was watched', async t => {
  const blank = { ...run('sending'), before: '' }
  t.equal(judge(blank, look(BLANK), LIMITS), 'not_started')
  t.equal(judge(blank, look(BLANK, { sinceSent: 3_600_000, watchedMs: 200_000 }), LIMITS), 'unknown')
})
