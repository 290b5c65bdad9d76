import t from 'tap'
import { RunChanges } from '../../../../plugins/queue/run-changes.js'
import { RunReview } from '../../../../plugins/queue/run-review.js'
import type { Observation } from '../../../../plugins/queue/run-verdict.js'
import type { End } from '../../../../plugins/queue/store/index.js'
import type { Run } from '../../../../plugins/queue/types.js'
import type { GroupOptions } from '../../../../plugins/queue/view.js'
import { soakPrinter } from './soak-printer.js'

const JOB = { taskId: '42', subtaskId: '42', subtaskName: 'cube-1', cancelled: false, percent: 100, layer: 9, totalLayers: 9 }
const belt = (...printers: string[]): GroupOptions => ({ name: 'belt', printers, spacingSeconds: 0, selfClearing: true })

/** What is stored when a print ends that began when its printer was called x1. */
async function ended (name: string, gcodeState: 'FINISH' | 'FAILED', groups: readonly GroupOptions[]): Promise<End | undefined> {
  const { session, kernel } = soakPrinter()
  Object.assign(session, { name })
  const ends: End[] = []
  const observation: Partial<Observation> = {
    job: { ...JOB, gcodeState },
    sinceSent: 200_000,
    watchedMs: 200_000,
    settledMs: 200_000,
    ran: { percent: 99, layer: 8, hasRun: true }
  }
  const deps: any = {
    kernel,
    groups: () => groups,
    observer: { observe: () => observation, identity: () => '' },
    alerts: { errorOf: () => '', faultOf: () => '' },
    cleaner: { remove: async () => {} },
    store: { end: async (_: Run, how: End) => { ends.push(how); return true }, findJob: async () => undefined },
    log: { info () {} },
    runChanged () {},
    instance: 'me',
    isStarting: () => false,
    limits: { startMs: 1, settleMs: 1, unansweredMs: 1 },
    handles: () => false,
    mostFailuresOf: (printer: string) => printer === name ? 3 : 0
  }
  const run = {
    id: 'r', job: 'j', serial: session.config.serial, printer: 'x1', state: 'printing', owner: 'me', task: 42, path: '/cube-1.gcode.3mf', sentAt: 0
  } as Run
  await new RunReview({ ...deps, changes: new RunChanges(deps) }).review(run)
  return ends[0]
}

t.test('a plate counts as clear by the present name of its printer', async t => {
  t.match(await ended('x1', 'FINISH', [belt('x1')]), { state: 'finished', plate: 'clear' })
  t.match(await ended('y1', 'FINISH', [belt('x1')]), { state: 'finished', plate: 'used' }, 'another printer is called x1 by now')
  t.match(await ended('y1', 'FINISH', [belt('y1')]), { plate: 'clear' }, 'it was renamed')
  t.match(await ended('x1', 'FAILED', [belt('x1')]), { state: 'failed', plate: 'used' })
})

t.test('failures that stop a printer are counted by its present name', async t => {
  t.match(await ended('y1', 'FAILED', []), { state: 'failed', mostFailures: 3 })
})
