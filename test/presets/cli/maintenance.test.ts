import t from 'tap'
import { listTasks, markDone, showHistory, undoDone } from '../../../presets/cli/commands/maintenance.js'
import type { Service } from '../../../presets/cli/service.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { maintained } from '../../plugins/maintenance/preset.js'
import { commandsFor } from '../../plugins/slicing/commands.js'

t.test('what is due is listed, marked as done and taken back', async t => {
  const booted = await boot(t, { preset: maintained, models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200 }], config: { dataDir: testFolder(t) } })
  const { api, lines, screen: output } = commandsFor(booted)
  const service = api as unknown as Service
  const said = () => lines.splice(0).join('\n')
  await eventually(() => booted.kernel.services.maintenance.statuses.length === 1)
  await listTasks(service, output, undefined, {})
  t.equal(said(), 'Nothing is due.')
  await booted.http('PATCH', '/api/maintenance/before', { printer: 'x1c', before: { hours: 310 } })
  await listTasks(service, output, 'x1c', {})
  t.match(said(), /^x1c +rods +Wipe the carbon rods +310 of 300 hours +due/)
  await listTasks(service, output, undefined, { all: true })
  t.match(said(), /belts +Check the belt tension +310 of 600 hours +ok/)
  await listTasks(service, output, undefined, { json: true })
  t.match(JSON.parse(said()), [{ printer: 'x1c', tasks: [{ id: 'rods' }, { id: 'lenses' }] }])
  await markDone(service, output, 'x1c', ['rods'], { note: 'with a cloth' })
  const [, id = ''] = /Wipe the carbon rods: done on x1c \(prnd maintenance undo (\w+)\)/.exec(said()) ?? []
  await showHistory(service, output, undefined, {})
  t.match(said(), /Wipe the carbon rods +http \(local\) +with a cloth$/)
  await undoDone(service, output, id)
  t.match(said(), /Wipe the carbon rods on x1c: taken back/)
  await showHistory(service, output, 'x1c', {})
  t.match(said(), /taken back$/)
  await showHistory(service, output, 'other', {})
  t.equal(said(), 'Nothing is recorded yet.')
})
