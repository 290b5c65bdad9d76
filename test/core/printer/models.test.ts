import t from 'tap'
import { modelByName, resolveModel, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { createFeed } from './helpers/feed.js'

t.test('by the first three characters of the serial', async t => {
  const prefixes = {
    '00M': 'X1C', '00W': 'X1', '03W': 'X1E', '01S': 'P1P', '01P': 'P1S', '030': 'A1_MINI', '039': 'A1', '22E': 'P2S', '093': 'H2S', '094': 'H2D', 239: 'H2D_PRO', '31B': 'H2C', '20P': 'X2D', '26A': 'A2L'
  }
  for (const [prefix, model] of Object.entries(prefixes)) t.equal(resolveModel(`${prefix}00A000000001`).model, model, prefix)
  t.equal(resolveModel('00m00A000000001').model, 'X1C', 'in lower case')
  t.equal(resolveModel('35F00A000000001'), UNKNOWN_MODEL)
  t.equal(resolveModel('').model, 'UNKNOWN')
})

t.test('by any of their names', async t => {
  const names = {
    X1C: 'X1C', 'bambu lab x1 carbon': 'X1C', '3DPrinter-X1-Carbon': 'X1C', 'Bambu Lab X1-Carbon': 'X1C', 'BL-P001': 'X1C', 'BL-P002': 'X1', C13: 'X1E', C11: 'P1P', C12: 'P1S', N1: 'A1_MINI', 'A1 mini': 'A1_MINI', N2S: 'A1', N7: 'P2S', O1S: 'H2S', O1D: 'H2D', 'Bambu Lab H2D': 'H2D', O1E: 'H2D_PRO', O1C: 'H2C', O1C2: 'H2C', N6: 'X2D', N9: 'A2L'
  }
  for (const [name, model] of Object.entries(names)) t.equal(modelByName(name)?.model, model, name)
  t.equal(modelByName('Prusa'), undefined)
})

t.test('what is configured comes before the serial, the serial before the version report', async t => {
  t.equal(resolveModel('00M00A000000001', 'H2D', ['P1S']).model, 'H2D')
  t.equal(resolveModel('00M00A000000001', undefined, ['P1S']).model, 'X1C')
  t.equal(resolveModel('99900A000000001', undefined, ['?', 'Bambu Lab P1S']).model, 'P1S')
  t.equal(resolveModel('00M00A000000001', 'no such').model, 'X1C')
})

t.test('an unknown serial learns its model from the version report, and never from an AMS', async t => {
  const feed = createFeed('99900A000000001')
  const version = (...module: unknown[]) => feed.receive({ info: { command: 'get_version', module } })
  t.equal(feed.reports.model.model, 'UNKNOWN')
  version({ name: 'ams/0', product_name: 'Bambu Lab H2D' }, { name: 'th', product_name: '' })
  t.equal(feed.reports.model.model, 'UNKNOWN')
  version({ name: 'ota', project_name: 'N2S' })
  t.equal(feed.reports.model.model, 'A1')
  const known = createFeed('00M00A000000001')
  known.receive({ info: { command: 'get_version', module: [{ name: 'ota', project_name: 'N2S' }] } })
  t.equal(known.reports.model.model, 'X1C')
})

t.test('what only a model table can say', async t => {
  const of = (name: string) => modelByName(name) ?? UNKNOWN_MODEL
  t.strictSame(['X1C', 'X1E', 'P1S', 'A1', 'P2S', 'H2S', 'H2D', 'X2D', 'A2L'].map(name => of(name).chamberHeater),
    [null, 'M141', null, null, null, 'set_ctt', 'set_ctt', 'set_ctt', null], 'heaters')
  t.strictSame(['X1E', 'H2D', 'P2S'].map(name => of(name).chamberMaxC), [60, 65, 0])
  t.strictSame(['X1C', 'X1E', 'H2D', 'X2D', 'A1'].map(name => of(name).nozzleMaxC), [300, 320, 350, 300, 300])
  t.strictSame(['X1C', 'X1E', 'P1S', 'A1_MINI', 'P2S', 'A2L'].map(name => of(name).bedMaxC), [120, 110, 100, 80, 110, 80])
  t.strictSame(['X1C', 'P1S', 'A1_MINI', 'P2S', 'H2D', 'X2D', 'A2L'].map(name => of(name).camera),
    ['rtsps', 'tcp_tls', 'tcp_tls', 'rtsps', 'rtsps', 'rtsps', 'tcp_tls'])
  t.strictSame(['X1C', 'P1S', 'A1', 'H2D', 'A2L'].map(name => of(name).fullReports), [true, false, false, true, false])
  t.strictSame(['X1C', 'H2D', 'H2C', 'X2D', 'H2S'].map(name => of(name).externalHolders),
    [[254], [254, 255], [254, 255], [254, 255], [254]])
  t.strictSame(['X1C', 'P1S', 'H2D'].map(name => of(name).doorSource), ['home_flag', null, 'stat'])
})
