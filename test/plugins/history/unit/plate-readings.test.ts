import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { PlateReadings } from '../../../../plugins/history/plate-readings.js'
import type { Print } from '../../../../plugins/history/types.js'
import { GaveWay } from '../../../../plugins/toolpath/index.js'

const PRINT = {
  id: 'a',
  result: 'running',
  state: 'RUNNING',
  projectPath: '/cube.3mf',
  job: { plate: 1 },
  layer: 2,
  totalLayers: 3,
  percent: 10,
  filaments: [],
  planned: [{ id: 1, type: 'PLA', color: '', grams: 9 }]
} as unknown as Print
const CANCELLED: Print = { ...PRINT, result: 'cancelled', state: 'FAILED' }
const COURSE = { tool: 0, grams: Float64Array.of(0, 4, 6, 8), metres: Float64Array.of(0, 4, 6, 8) }
const SESSION = { live: true, signal: new AbortController().signal, state: { job: {} } } as PrinterSession

/** Plates whose reading ends when the test says so. */
function desk () {
  const asked: string[] = []
  const changed: string[] = []
  const clock = { now: 1_000, steady: 0 }
  let settle: (error?: Error) => void = () => {}
  const readings = new PlateReadings({
    toolpath: () => ({
      filamentCourses: () => [COURSE],
      readInBackground: (_session, path, _plate, signal) => new Promise<any>((resolve, reject) => {
        asked.push(path)
        signal.addEventListener('abort', () => reject(signal.reason))
        settle = error => error ? reject(error) : resolve({ plate: { layers: [{}, {}, {}, {}] } })
      })
    }),
    now: () => clock.now,
    steady: () => clock.steady,
    signal: new AbortController().signal,
    changed: id => { changed.push(id) },
    onProblem: () => {}
  })
  const read = (...prints: Print[]) => readings.read(prints.map(print => [print, SESSION] as const))
  const end = async (error?: Error) => {
    settle(error)
    await new Promise(setImmediate)
  }
  return { readings, asked, changed, clock, read, end }
}

t.test('a plate is read once the printer prints it, and then the print is counted by layers', async t => {
  const { readings, asked, changed, read, end } = desk()
  for (const print of [{ ...PRINT, state: 'PREPARE' }, { ...PRINT, layer: 0 }, { ...PRINT, projectPath: '' }]) read(print)
  t.same(asked, [], 'not while it is loaded, nor without a file')
  read(PRINT)
  read(PRINT, { ...PRINT, id: 'b', projectPath: '/other.3mf' })
  t.same(asked, ['/cube.3mf'], 'one at a time')
  t.equal(readings.count(PRINT).byLayers, undefined)
  await end()
  t.same(changed, ['a'])
  t.match(readings.count(PRINT), { byLayers: { percent: 62.5, filaments: [{ grams: 5 }] }, filaments: [{ share: 1 }] })
  t.equal(readings.count(CANCELLED).gramsOpenUntil, undefined, 'final at once')
  read(PRINT)
  t.same(asked, ['/cube.3mf'])
})

t.test('the grams of a print that ended before its plate was read are open for a limited time', async t => {
  const { readings, asked, changed, clock, read, end } = desk()
  const ended = readings.count(CANCELLED)
  t.equal(ended.gramsOpenUntil, 1_000 + 600_000)
  clock.now += 1_000
  t.equal(readings.count(ended).gramsOpenUntil, 601_000, 'the time does not begin anew')
  t.equal(readings.count({ ...CANCELLED, result: 'finished' }).gramsOpenUntil, undefined)
  read(ended)
  await end()
  t.same([asked, changed], [['/cube.3mf'], ['a']])
  t.match(readings.count(ended), { gramsOpenUntil: undefined, byLayers: { layer: 2 } })

  const late = desk()
  late.clock.now = 601_001
  late.read(ended)
  t.same([late.asked, late.changed], [[], ['a']], 'too late to read it')
  t.match(late.readings.count(ended), { gramsOpenUntil: undefined, byLayers: undefined })
})

t.test('a plate is tried again later, but not for ever', async t => {
  const { readings, asked, clock, read, end } = desk()
  for (const error of [new GaveWay(), new Error('the card is busy'), new Error('again'), new GaveWay(), new Error('again')]) {
    read(CANCELLED, { ...CANCELLED, gramsOpenUntil: 9_000 })
    clock.steady += 30
    read({ ...CANCELLED, gramsOpenUntil: 9_000 })
    await end(error)
  }
  t.equal(readings.count(CANCELLED).gramsOpenUntil, undefined, 'three failures are enough')
  const count = asked.length
  clock.steady += 1_000
  read({ ...CANCELLED, gramsOpenUntil: 9_000 })
  t.equal(asked.length, count)
})

t.test('a file that is not there is not looked for again, and the next print ends the reading of the last', async t => {
  const gone = desk()
  gone.read(PRINT)
  const missing = Object.assign(new Error('no such file'), { code: 'PRN_ERR_NO_PLATE_FILE', statusCode: 404 })
  await gone.end(missing)
  t.equal(gone.readings.count(CANCELLED).gramsOpenUntil, undefined)

  const { asked, read, end } = desk()
  read(PRINT)
  read({ ...PRINT, id: 'b', projectPath: '/next.3mf', state: 'PREPARE' })
  await end()
  read({ ...PRINT, id: 'b', projectPath: '/next.3mf' })
  t.same(asked, ['/cube.3mf', '/next.3mf'])
})
