import t from 'tap'
import { createQueueAlerts } from '../../../plugins/queue/alerts.js'

t.test('a spool that will not last is named by its place, the left holder of two too', async t => {
  const places: unknown[] = []
  let counts = false
  const alerts = createQueueAlerts({
    raise: (_printer, { payload }) => { places.push((payload as { place: string }).place) },
    countsSpools: () => counts,
    hms: {} as never,
    now: () => 0
  })
  const low = (tray: object) => [{ tray, material: 'PLA', neededG: 9, leftG: 2 }] as never
  const left = { trayId: 254, amsId: 255, slot: 0, isHolder: true }
  alerts.spoolsLow({ name: 'x1c', state: { extruders: [{}] } } as never, 'cube', low(left))
  alerts.spoolsLow({ name: 'h2d', state: { extruders: [{}, {}] } } as never, 'cube', low(left))
  alerts.spoolsLow({ name: 'h2d', state: { extruders: [{}, {}] } } as never, 'cube', low({ ...left, trayId: 255 }))
  alerts.spoolsLow({ name: 'h2d', state: undefined } as never, 'cube', low({ trayId: 5, amsId: 1, slot: 1, isHolder: false }))
  t.same(places, ['external', 'external left', 'external', 'ams 1 slot 1'])
  counts = true
  alerts.spoolsLow({ name: 'x1c', state: { extruders: [{}] } } as never, 'cube', low(left))
  t.equal(places.length, 4, 'the plugin that counts spools raises it')
})
