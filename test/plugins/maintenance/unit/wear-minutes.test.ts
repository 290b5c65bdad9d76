import t from 'tap'
import { minutesIn, WearMinutes } from '../../../../plugins/maintenance/wear-minutes.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Reported = Parameters<WearMinutes['see']>[1]

interface Given {
  nozzle?: number
  chamber?: number
  target?: number
  sensor?: boolean
  dryer?: string
  tray?: number
  tool?: number
  state?: string
}

const report = (given: Given = {}): Reported => ({
  heat: {
    nozzle: { actual: given.nozzle ?? 20, target: 0 },
    bed: { actual: 20, target: 0 },
    chamber: { actual: given.chamber ?? 20, target: given.target ?? 0, sensor: given.sensor ?? true }
  },
  extruders: [],
  ams: { units: given.dryer === undefined ? [] : [{ dryer: { state: given.dryer } }] },
  activeTray: { id: given.tray ?? -1, amsId: 0, slot: 0, tool: given.tool ?? -1, state: given.state ?? 'LOADED' }
}) as unknown as Reported

t.test('a minute counts once, however often it is reported', async t => {
  const minutes = new WearMinutes()
  for (let second = 0; second < 150; second++) minutes.see('s', report({ nozzle: 255 }), second * 1_000)
  minutes.see('s', report({ nozzle: 249 }), 10 * MINUTE_MS)
  const [hour] = minutes.unstored()
  t.equal(minutesIn(hour?.hot ?? 0n), 3)
  t.equal(hour?.chamber, 0n)
})

t.test('warm chambers, drying and changes of filament are seen', async t => {
  const minutes = new WearMinutes()
  minutes.see('s', report({ target: 45 }), 0)
  minutes.see('s', report({ chamber: 50 }), MINUTE_MS)
  minutes.see('s', report({ chamber: 50, sensor: false }), 2 * MINUTE_MS)
  minutes.see('s', report({ dryer: 'DRYING' }), 3 * MINUTE_MS)
  minutes.see('s', report({ dryer: 'OFF' }), 4 * MINUTE_MS)
  const [hour] = minutes.unstored()
  t.match(hour, { chamber: 0b11n, drying: 0b1000n, hot: 0n })
})

t.test('the first spool that is seen is no change, nor is the other nozzle', async t => {
  const minutes = new WearMinutes()
  minutes.see('s', report({ tray: 1, tool: 0 }), 0)
  minutes.see('s', report({ tray: 5, tool: 1 }), MINUTE_MS)
  minutes.see('s', report({ tray: 1, tool: 0 }), 2 * MINUTE_MS)
  t.same(minutes.unstored(), [])
  minutes.see('s', report({ tray: 2, tool: 0, state: 'LOADING' }), 3 * MINUTE_MS)
  minutes.see('s', report({ tray: 2, tool: 0 }), 4 * MINUTE_MS)
  minutes.see('s', report({ tray: 2, tool: 0 }), 5 * MINUTE_MS)
  t.match(minutes.unstored(), [{ changes: 0b10000n }])
})

t.test('what is stored is not stored again, and what came meanwhile is', async t => {
  const minutes = new WearMinutes()
  minutes.see('s', report({ nozzle: 255 }), 0)
  const first = minutes.unstored()
  minutes.see('s', report({ nozzle: 255 }), MINUTE_MS)
  minutes.stored(first, 2 * MINUTE_MS)
  t.equal(minutes.unstored().length, 1, 'a minute came while it was stored')
  minutes.stored(minutes.unstored(), 2 * MINUTE_MS)
  t.same(minutes.unstored(), [])
  minutes.see('s', report({ nozzle: 255 }), 3 * MINUTE_MS)
  t.equal(minutesIn(minutes.unstored()[0]?.hot ?? 0n), 3, 'the hour is still whole')
  minutes.stored(minutes.unstored(), 2 * HOUR_MS)
  minutes.see('s', report({ nozzle: 255 }), 4 * MINUTE_MS)
  t.equal(minutesIn(minutes.unstored()[0]?.hot ?? 0n), 1, 'an hour that is over is forgotten')
})
