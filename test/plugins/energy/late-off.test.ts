import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { entryOf } from '../queue/helpers.js'
import { bootEnergy, MINUTE, off } from './boot-plug.js'
import { createPlugStore } from '../../../plugins/energy/plug-store.js'
import { shelly2 } from './plugs.js'

t.test('a printer whose plug may still obey stays held over a restart', async t => {
  const plug = await shelly2(t)
  const dataDir = testFolder(t)
  const one = await bootEnergy(t, { config: { dataDir } })
  const { name } = one
  const id = await one.add({ settings: { host: plug.host }, printer: name })
  await one.passUntil(async () => (await one.plugOf(id)).stays === null)
  plug.obeys = false
  const going = off(one, id)
  await eventually(() => plug.asked.some(asked => asked.includes('Switch.Set')))
  plug.isSilent = true
  t.match((await going).body, { error: /plug_unconfirmed|plug_silent/ })
  const at = one.kernel.now()
  await one.kernel.close()

  const two = await bootEnergy(t, { config: { dataDir, printers: one.printers.map(entryOf) } }, at)
  const reason = async () => String((await two.http('GET', '/api/queue')).body.printers?.[0]?.reason)
  await eventually(() => two.kernel.printers.get(name)?.live === true)
  t.match(await reason(), /is being switched off/)
  const print = () => two.http('POST', '/api/print_3mf', { printer: name, filename: '/none.gcode.3mf', use_ams: true })
  t.match(await print(), { status: 409, body: { error: 'printer_claimed' } }, 'for prints that are no jobs of the queue as well')
  await two.pass(4 * MINUTE)
  t.match(await print(), { body: { error: 'printer_claimed' } })
  plug.isSilent = false
  await two.passUntil(async () => !/plug/.test(await reason()), 'it says that it is on')
  t.not((await print()).body.error, 'printer_claimed')
  const [row] = await createPlugStore(two.kernel.services.database).list()
  t.match(row, { id, off_sent_at: 0 }, 'and another restart holds nothing')
})
