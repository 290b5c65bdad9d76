import t from 'tap'
import { Plugs, type PlugsDeps } from '../../../../plugins/energy/plugs.js'
import type { PlugRow } from '../../../../plugins/energy/tables.js'

/** Without a printer: it stands alone. */
const ROW = { id: 'lamp', serial: '', unit: null, service: 'gone' } as PlugRow

const plugsOn = (kind: 'sqlite' | 'postgres') => new Plugs({
  kernel: { printers: { names: [] } }, database: { status: { kind } }, instance: 'here'
} as unknown as PlugsDeps)

t.test('the plugs of a service that is gone are driven by the one with its file, and not where others may live', async t => {
  t.equal(plugsOn('sqlite').isDriven(ROW), true, 'records were restored on another machine')
  t.equal(plugsOn('postgres').isDriven(ROW), false, 'the other may come back, with its own network')
  t.equal(plugsOn('postgres').isDriven({ ...ROW, service: 'here' }), true)
})
