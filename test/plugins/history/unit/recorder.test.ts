import t from 'tap'
import { createRecorder } from '../../../../plugins/history/recorder.js'
import type { Print } from '../../../../plugins/history/types.js'

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

/** A printer that tells nothing of its filament. */
const BARE = { spools: [], extruders: [], ams: { present: false, units: [] }, activeTray: { id: -1 } }

/** One printer, and the records of its prints. */
function desk (shown = {}) {
  const saved = new Map<string, Print>()
  let now = 1_000
  let steady = 1
  let kept: object = shown
  let facts: any
  const heard: Record<string, (value: any) => void> = {}
  const session: any = {
    name: 'x1',
    config: { serial: 'S' },
    model: { model: 'X1C', extruders: 1 },
    context: {},
    service: 'CONNECTED',
    events: { on: (name: string, hear: (value: any) => void) => { heard[name] = hear; return () => {} } }
  }
  const recorder = createRecorder({
    newest: {},
    save: print => { saved.set(print.id, print) },
    persist: async () => {},
    shown,
    persistShown: jobs => { kept = jobs },
    starts: {},
    persistStarts: () => {},
    endedUnseen: () => {},
    learn: async () => facts,
    faultsOf: () => [],
    announce: () => {},
    now: () => now,
    steady: () => steady
  })
  recorder.watch(session)
  return {
    look (fields: object) {
      now += 1_000
      steady += 1
      heard.state?.({ ...BARE, job: { ...JOB, ...fields }, receivedAt: now })
    },
    /** From now on the project can be read. */
    async readable (project: object) {
      await new Promise(setImmediate) // the last try is over
      facts = project
      recorder.readProjects()
      await new Promise(setImmediate)
    },
    link: (job: string) => { for (const id of recorder.runningIds()) recorder.link(id, job, 4) },
    get running () { return recorder.running('S') },
    leave: () => heard.live?.(false),
    /** Somebody sets the clock of the host. */
    jump: (ms: number) => { now += ms },
    times: () => [...saved.values()].map(({ times, result }) => ({ ...times, result })),
    told: (calledAt: number) =>
      recorder.started({ kind: 'start', by: 'queue', calledAt, asked: undefined }, session),
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

t.test('reports that change nothing but time and progress are added up until somebody asks', async t => {
  const it = desk()
  it.look({})
  const cube = { subtaskName: 'cube', taskId: '7', gcodeState: 'RUNNING' }
  it.look({ ...cube, percent: 1, layer: 1 })
  for (let percent = 2; percent <= 20; percent++) it.look({ ...cube, percent, layer: percent, remainingMinutes: 0 })
  it.look({ ...cube, percent: 3, layer: 4 }) // some printers report less for a moment
  const { percent, layer, seenAt, times } = it.running ?? {} as Print
  t.match({ percent, layer, seenAt }, { percent: 20, layer: 20, seenAt: it.now })
  t.equal(times.printing, 20)

  it.look({ ...cube, percent: 21 })
  it.link('job')
  it.look({ ...cube, percent: 22 })
  await it.readable({ projectPath: '/cube.3mf', md5: '', planned: [], plate: 1, thumbnail: undefined })
  t.match(it.running, { percent: 22, queueJob: 'job', parts: 4, projectPath: '/cube.3mf' })

  it.look({ ...cube, percent: 40 })
  it.leave()
  it.look({ ...cube, percent: 50 })
  t.match(it.running, { percent: 50, times: { printing: 23, unseen: 1 } }, 'a gap is not counted as printing')
  it.look({ ...cube, percent: 60 })
  it.look({ ...cube, gcodeState: 'PAUSE', percent: 60 })
  it.look({ ...cube, gcodeState: 'FINISH', percent: 100 })
  t.equal(it.running, undefined)
})

t.test('what a print did while its printer was away is measured by a clock that nobody sets', async t => {
  const it = desk()
  const cube = { subtaskName: 'cube', taskId: '7', gcodeState: 'RUNNING', totalLayers: 9 }
  const RUN = { ...cube, layer: 1, percent: 10 }
  it.look({})
  it.look(RUN)
  for (const ms of [172_800_000, -172_800_000]) {
    it.look(RUN)
    it.leave()
    it.jump(ms)
    it.look(RUN)
  }
  it.leave()
  it.look({ ...cube, gcodeState: 'FINISH' })
  await it.starters()
  t.same(it.times(), [{ prepare: 0, printing: 2, paused: 0, unseen: 3, result: 'finished' }])

  const off = desk()
  off.look({})
  off.look(RUN)
  off.look({})
  for (let second = 0; second < 5; second++) off.look({})
  off.leave()
  off.jump(172_800_000)
  off.look({ ...RUN, layer: 5, percent: 50 })
  off.look({ ...RUN, layer: 5, percent: 50 })
  await off.starters()
  const [times] = off.times()
  t.same(times, { prepare: 0, printing: 1, paused: 0, unseen: 6, result: 'running' }, 'also one that was lost, and goes on')
})
