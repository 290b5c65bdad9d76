import t from 'tap'
import { CHANGED, OUTSIDE } from '../../plugins/toolpath/faulty-plates.js'
import { bootApp } from './boot.js'

t.test('a plate that must not be printed is refused, and one that may be accepted is printed once it is', async t => {
  const app = await bootApp(t)
  await app.printer.card.put('/outside.3mf', OUTSIDE)
  await app.printer.card.put('/changed.3mf', CHANGED)
  const print = async (filename: string, more: object = {}) =>
    await app.get('print_3mf', { filename, platenum: 0, plate: 'AUTO', use_ams: 'true', accept_mismatch: 'true', ...more })
  const sent = () => app.printer.requests.filter(({ command }) => command === 'project_file').length
  t.match(await print('/outside.3mf', { accept_findings: 'outside_area' }), { status: 500, body: { reason: /layer 2/ } })
  t.match(await print('/changed.3mf'), { status: 500, body: { reason: /md5_mismatch/ } })
  t.equal(sent(), 0)
  t.match(await print('/changed.3mf', { accept_findings: 'no_layers, md5_mismatch' }), { status: 200 })
  t.equal(sent(), 1)
})
