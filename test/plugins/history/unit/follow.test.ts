import t from 'tap'
import type { Job } from '../../../../core/index.js'
import { follow, type Observation } from '../../../../plugins/history/follow.js'
import type { Print } from '../../../../plugins/history/types.js'

const IDLE: Job = {
  gcodeState: 'IDLE',
  cancelled: false,
  subtaskName: '',
  gcodeFile: '',
  plate: -1,
  stage: { id: 0, name: '' },
  plannedStages: [],
  layer: 0,
  totalLayers: 0,
  percent: 0,
  remainingMinutes: 0,
  preparePercent: 0,
  startedAt: undefined,
  endedAt: undefined,
  printType: '',
  subtaskId: '',
  taskId: '',
  jobId: '',
  speedLevel: 2,
  speedPercent: 100,
  skippedObjects: [],
  mapping: []
}
const cube = { subtaskName: 'cube', taskId: '7', plate: 1, gcodeFile: 'cube.3mf', totalLayers: 100 }
const START = 1_700_000_000_000

/** A printer that is looked at every ten seconds; `back` is the first look after nobody looked for so long. */
function desk () {
  const prints = new Map<string, Print>()
  let last: Print | undefined
  let at = START
  let isFirst = true
  function look (fields: Partial<Job>, { gap = isFirst, seconds = 10, jump = 0, faults = [] as Observation['faults'] } = {}) {
    at += seconds * 1000 + jump
    isFirst = false
    const observation = { job: { ...IDLE, ...fields }, at, elapsed: gap ? undefined : seconds, faults }
    for (const print of follow(last, observation)) {
      last = print
      prints.set(print.id, print)
    }
  }
  return {
    look,
    back: (fields: Partial<Job>, seconds = 600) => look(fields, { gap: true, seconds }),
    mark: (fields: Partial<Print>) => { if (last) prints.set(last.id, last = { ...last, ...fields }) },
    results: () => [...prints.values()].map(({ job, result }) => `${job.subtaskName} ${result}`),
    get last () { return last as Print }
  }
}
const run = (layer: number, more: Partial<Job> = {}): Partial<Job> =>
  ({ ...cube, gcodeState: 'RUNNING', layer, percent: layer, remainingMinutes: 100 - layer, ...more })

const begun = () => {
  const it = desk()
  it.look({})
  it.look({ ...cube, gcodeState: 'PREPARE' })
  it.look(run(1))
  it.look(run(50))
  return it
}

t.test('1 a print that finishes', async t => {
  const it = begun()
  it.look({ ...cube, gcodeState: 'FINISH', percent: 100 })
  t.match(it.last, {
    result: 'finished',
    percent: 100,
    layer: 50,
    startSeen: true,
    endSeen: true,
    startedAt: START + 20_000,
    endedAt: START + 50_000,
    times: { prepare: 10, printing: 20, paused: 0, unseen: 0 },
    startedBy: 'elsewhere'
  })
  it.look({ ...cube, gcodeState: 'FINISH' })
  it.look({})
  t.same(it.results(), ['cube finished'])
})

t.test('2 one that is cancelled at the printer', async t => {
  const it = begun()
  it.look({ ...cube, gcodeState: 'FAILED', cancelled: true })
  t.match(it.last, { result: 'cancelled', endedBy: 'elsewhere', percent: 50, faults: [] })
})

t.test('3 one that is cancelled here, though the printer shows no reason', async t => {
  const it = begun()
  it.mark({ endedBy: 'http (local)' })
  it.look({ ...cube, gcodeState: 'FAILED' })
  t.match(it.last, { result: 'cancelled', endedBy: 'http (local)' })
})

t.test('4 one that fails, with the faults of that moment', async t => {
  const it = begun()
  const faults = [{ code: 'HMS_0300-0100-0001-0007', severity: 'Error', text: 'The bed is cold' }]
  it.look({ ...cube, gcodeState: 'FAILED' }, { faults })
  t.match(it.last, { result: 'failed', faults, endedBy: '' })
})

t.test('5 a loss of power and a print that goes on is one print', async t => {
  const it = begun()
  it.look({})
  t.equal(it.last.result, 'unknown')
  it.back(run(50))
  it.look({ ...cube, gcodeState: 'FINISH' })
  t.same(it.results(), ['cube finished'])
  t.match(it.last, { interruptions: 1, times: { unseen: 600 } })

  const reported = begun()
  reported.look({ ...cube, gcodeState: 'FAILED' })
  reported.back(run(51))
  t.same(reported.results(), ['cube running'], 'also where the printer first reports a failure')
})

t.test('6 a loss of power without going on', async t => {
  const it = begun()
  it.back({})
  t.match(it.last, { result: 'unknown', endSeen: false, percent: 50 })
  it.look({ gcodeState: 'PREPARE', subtaskName: 'vase', taskId: '8' })
  t.same(it.results(), ['cube unknown', 'vase running'])
})

t.test('7 a service that was down at the start', async t => {
  const it = desk()
  it.look(run(30, { startedAt: START - 5_000 }))
  t.match(it.last, { result: 'running', startSeen: false, startedAt: START - 5_000, startedBy: '' })
})

t.test('8 a service that was down at the end', async t => {
  const it = begun()
  it.back({ ...cube, gcodeState: 'FINISH' })
  t.match(it.last, { result: 'finished', endSeen: false, times: { unseen: 600 } })
  t.same(it.results(), ['cube finished'])
})

t.test('9 a service that was down in between', async t => {
  const it = begun()
  it.back(run(80))
  it.look({ ...cube, gcodeState: 'FINISH' })
  t.same(it.results(), ['cube finished'])
  t.match(it.last, { endSeen: true, interruptions: 0 })
})

t.test('10 a service that was down all the way through', async t => {
  const it = begun()
  it.look({ ...cube, gcodeState: 'FINISH' })
  it.back({ gcodeState: 'FINISH', subtaskName: 'vase', taskId: '8' })
  t.same(it.results(), ['cube finished', 'vase finished'])
  t.match(it.last, { startSeen: false, endSeen: false })
  it.back({ gcodeState: 'FINISH', subtaskName: 'vase', taskId: '8' })
  t.equal(it.results().length, 2, 'and is recorded once')
})

t.test('11 another print runs when the service is back', async t => {
  const it = begun()
  it.back({ gcodeState: 'RUNNING', subtaskName: 'vase', taskId: '8', layer: 3, percent: 3 })
  t.same(it.results(), ['cube unknown', 'vase running'])
})

t.test('12 the same file once more: seen, and after a gap by its progress', async t => {
  const it = begun()
  it.look({ ...cube, gcodeState: 'FINISH' })
  it.look({ ...cube, gcodeState: 'PREPARE' })
  t.same(it.results(), ['cube finished', 'cube running'])

  const late = begun()
  late.back(run(10))
  t.same(late.results(), ['cube unknown', 'cube running'])
})

t.test('13 a pause, and a connection that is lost meanwhile', async t => {
  const it = begun()
  it.look({ ...run(50), gcodeState: 'PAUSE' })
  it.look({ ...run(50), gcodeState: 'PAUSE' })
  it.back(run(50), 60)
  it.look({ ...cube, gcodeState: 'FINISH' })
  t.same(it.results(), ['cube finished'])
  t.match(it.last.times, { paused: 10, unseen: 60 })
})

t.test('14 a clock that jumps changes no duration, and no end is before its start', async t => {
  const it = begun()
  it.look(run(60), { jump: -86_400_000 })
  it.look({ ...cube, gcodeState: 'FINISH' })
  t.match(it.last, { result: 'finished', startedAt: START + 20_000, endedAt: START + 60_000 })
  t.equal(it.last.times.printing, 30)

  const ahead = begun()
  ahead.look({ ...cube, gcodeState: 'FINISH' }, { jump: 86_400_000 })
  t.equal(ahead.last.times.printing, 20)
})

t.test('15 a job that is told piece by piece is one print under its right name', async t => {
  const it = begun()
  it.look({ ...cube, gcodeState: 'FINISH' })
  it.look({ ...cube, gcodeState: 'PREPARE', percent: 0 })
  it.look({ gcodeState: 'PREPARE', subtaskName: 'vase', taskId: '8' })
  t.same(it.results(), ['cube finished', 'vase running'])
})

t.test('16 a printer that is seen for the first time with an old print shown', async t => {
  const it = desk()
  it.look({ ...cube, gcodeState: 'FINISH' })
  t.same(it.results(), [], 'nobody knows when that was')
})
