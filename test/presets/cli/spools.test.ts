import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import spools from '../../../plugins/spools/index.js'
import { exportSpools, importSpools, listSpools, showSupply, weighSpool } from '../../../presets/cli/commands/spools.js'
import type { Service } from '../../../presets/cli/service.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../../plugins/history/preset.js'
import { commandsFor } from '../../plugins/slicing/commands.js'

t.test('a list is looked at, imported, shown, weighed, and says what to buy', async t => {
  const booted = await boot(t, { preset: recordedWith(spools), models: [], config: { dataDir: testFolder(t) } })
  const { api, lines, screen: output } = commandsFor(booted)
  const service = api as unknown as Service
  const said = () => lines.splice(0).join('\n')
  const folder = testFolder(t)
  const file = (text: string) => {
    const path = join(folder, 'spools.csv')
    writeFileSync(path, text)
    return path
  }
  const list = file('name,brand,material,color,net_g,left_g\nRed,Acme,PLA,#D0021B,1000,900\nBlue,Acme,PLA,#0000FF,1000,many\n')
  t.notOk(await importSpools(service, output, list, {}, async () => true))
  t.match(said(), /1 new, .* 1 that cannot be read\n {2}line 3, left_g: .*\(many\)\nNothing was imported: correct these rows/)
  t.notOk(await importSpools(service, output, list, { skipBroken: true }, async () => false))
  t.match(said(), /Nothing was imported\.$/)
  t.ok(await importSpools(service, output, list, { skipBroken: true }, async () => true))
  t.match(said(), /Imported: 1 new/)
  t.notOk(await importSpools(service, output, file('name,material,net_g\nRed,PLA,many\n'), {}, async () => true))
  t.match(said(), /0 new, .* 1 that cannot be read\n.*\nNothing was imported/, 'a list of broken rows alone')
  await listSpools(service, output, ['acme'], {})
  t.match(said(), /Red +PLA +900 g/)
  await listSpools(service, output, ['nothing'], {})
  t.match(said(), /no such spool/)
  await weighSpool(service, output, 'red', 1_050, { empty: 200 })
  t.match(said(), /Red: 850 g left\n {2}900 g were thought to be left/)
  await t.rejects(weighSpool(service, output, 'green', 1, {}), { code: 'PRN_ERR_NOT_FOUND' })
  await t.rejects(importSpools(service, output, join(folder, 'none.csv'), {}, async () => true), { code: 'PRN_ERR_BAD_INPUT' })
  await importSpools(service, output, file('name,material,net_g,left_g\nRed,PLA,1000,10\n'), {}, async () => true)
  await t.rejects(weighSpool(service, output, 'Red', 500, {}), { message: /Several spools/ })
  said()
  let printed = ''
  await exportSpools(service, output, { format: 'csv' }, list => { printed = Buffer.from(list).toString() })
  t.match(printed, /^id,name,brand,/)
  t.match(printed, /,Red,/)
  const out = join(folder, 'out.json')
  await exportSpools(service, output, { format: 'json', out })
  t.match(said(), /Saved as/)
  t.equal(JSON.parse(readFileSync(out, 'utf8')).length, 2)
  await t.rejects(exportSpools(service, output, { format: 'csv', out }), { code: 'PRN_ERR_BAD_INPUT', message: /exists already/ })
  await showSupply(service, output, {})
  t.match(said(), /Nothing was used|left/)
})
