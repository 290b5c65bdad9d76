import t from 'tap'
import { FAN_MS } from '../../../../plugins/energy/off-check.js'
import { Switcher } from '../../../../plugins/energy/switcher.js'

const NOW = 1_000_000_000
const cool = { actual: 25, target: 0 }
const ROW = { id: 'p', name: 'Plug', serial: 'S1' } as never

/** A plug of a printer that is idle and cool, by a database that says what the test says. */
function switcher (occupationOf: () => Promise<{ run: unknown, movedUntil: number }>) {
  const session = {
    name: 'x1',
    service: 'CONNECTED',
    live: true,
    context: { start: undefined },
    raw: {},
    state: {
      job: { gcodeState: 'IDLE', subtaskName: '' },
      heat: { bed: cool, nozzle: cool, chamber: { ...cool, sensor: true } },
      extruders: [],
      ams: { units: [] }
    }
  }
  return new Switcher({
    kernel: { now: () => NOW, printers: { get: () => session } },
    plugs: { printerOf: () => 'x1' },
    cool: { since: () => NOW - FAN_MS },
    queue: () => ({ store: { occupationOf }, heldBack: () => [] }),
    files: () => undefined
  } as never)
}

t.test('a printer that another service has moved by hand keeps its power', async t => {
  const stays = async (movedUntil: number, run?: unknown) =>
    await switcher(async () => ({ run, movedUntil })).whyStays(ROW)
  t.equal(await stays(0), undefined)
  t.same(await stays(NOW + 270_000), { code: 'moved', values: { minutes: 5 } })
  t.equal(await stays(NOW), undefined, 'five minutes later')
  t.match(await stays(0, {}), { code: 'queue' })
  t.match(await switcher(async () => { throw new Error('away') }).whyStays(ROW), { code: 'queue_unknown' })
})
