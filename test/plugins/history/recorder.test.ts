import t from 'tap'
import { createRecorder } from '../../../plugins/history/recorder.js'
import type { Print } from '../../../plugins/history/types.js'

const JOB = {
  gcodeState: 'IDLE',
  cancelled: false,
  subtaskName: '',
  gcodeFile: '',
  plate: -1,
  layer: 0,
  totalLayers: 0,
  percent: 0,
  remainingMinutes: 0,
  printType: '',
  subtaskId: '',
  taskId: '',
  mapping: []
}

/** One printer, and the records of its prints. */
function desk (shown = {}) {
  const saved = new Map<string, Print>()
  let now = 1_000
  let kept: object = shown
  const heard: Record<string, (value: any) => void> = {}
  const session: any = {
    name: 'x1',
    config: { serial: 'S' },
    model: { model: 'X1C' },
    service: 'CONNECTED',
    events: { on: (name: string, hear: (value: any) => void) => { heard[name] = hear; return () => {} } }
  }
  const recorder = createRecorder({
    newest: {},
    save: print => { saved.set(print.id, print) },
    keep: async () => {},
    shown,
    keepShown: jobs => { kept = jobs },
    learn: async () => undefined,
    faultsOf: () => [],
    announce: () => {},
    now: () => now,
    steady: () => now / 1000
  })
  recorder.watch(session)
  return {
    look (fields: object) {
      now += 1_000
      heard.state?.({ job: { ...JOB, ...fields }, spools: [], receivedAt: now })
    },
    told: (calledAt: number) =>
      recorder.started({ operation: 'projects.print', printer: 'x1', surface: 'queue', caller: undefined, calledAt } as any, session),
    async starters () {
      await recorder.flush([])
      return [...saved.values()].map(({ job, startedBy }) => `${job.subtaskName} ${startedBy}`)
    },
    get now () { return now },
    get shown () { return kept }
  }
}

t.test('a print that ended before its start was told of is known all the same, and the next is not mistaken for it', async t => {
  const it = desk()
  it.look({})
  const calledAt = it.now
  const cube = { subtaskName: 'cube', taskId: '7' }
  it.look({ ...cube, gcodeState: 'RUNNING' })
  it.look({ ...cube, gcodeState: 'FINISH', percent: 100 })
  it.told(calledAt)
  it.look({ subtaskName: 'foreign', taskId: '8', gcodeState: 'RUNNING' })
  t.same(await it.starters(), ['cube queue', 'foreign elsewhere'])
})

t.test('one that is told of before it is seen, and one of another', async t => {
  const it = desk()
  it.look({})
  it.look({ subtaskName: 'foreign', taskId: '8', gcodeState: 'RUNNING' })
  it.look({ subtaskName: 'foreign', taskId: '8', gcodeState: 'FINISH' })
  it.told(it.now + 1)
  it.look({ subtaskName: 'cube', taskId: '7', gcodeState: 'RUNNING' })
  t.same(await it.starters(), ['foreign elsewhere', 'cube queue'])
})

t.test('the first print of a printer is known, too, when it began and ended while nobody looked', async t => {
  const cube = { gcodeState: 'FINISH', subtaskName: 'cube', taskId: '7', plate: 1, percent: 100 }
  const first = desk()
  first.look(cube)
  t.same(await first.starters(), [], 'nobody knows when that was')
  const again = desk(first.shown)
  again.look(cube)
  t.same(await again.starters(), [], 'it is that of before')

  const unused = desk()
  unused.look({})
  const later = desk(unused.shown)
  later.look(cube)
  t.same(await later.starters(), ['cube '])
  t.same(later.shown, {}, 'from now on the print itself tells')
})
