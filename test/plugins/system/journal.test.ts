import { join } from 'node:path'
import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

type Entry = Record<string, unknown>

async function bootLogged (t: Test, dependencies: object = {}) {
  const dataDir = testFolder(t)
  const booted = await boot(t, {
    models: [{ model: 'P1S', name: 'one', reportEveryMs: 100 }], dependencies, config: { dataDir, log: { file: join(dataDir, 'prnd.log') } }
  })
  const entries = async (): Promise<Entry[]> => {
    const { lines } = (await booted.tool('dump_log')).value as { lines: string[] }
    return lines.map(line => JSON.parse(line) as Entry).filter(({ module }) => module === 'journal')
  }
  const written = async (wanted: Entry) => {
    await eventually(async () => (await entries()).some(entry =>
      Object.entries(wanted).every(([key, value]) => JSON.stringify(entry[key]) === JSON.stringify(value))))
    t.pass(JSON.stringify(wanted))
  }
  return { ...booted, entries, written }
}

t.test('the log tells at every level what happened to a printer', async t => {
  const { kernel, tool, entries, written } = await bootLogged(t)
  t.equal(kernel.logs.level('service'), 'ERROR')
  await written({ printer: 'one', msg: 'session', service: 'CONNECTED' })
  await tool('set_bed_temp', { name: 'one', temp: 50, user_permission: true })
  await written({ printer: 'one', msg: 'command', operation: 'climate.setBedTarget', surface: 'mcp', outcome: 'done' })
  await tool('pause_print', { name: 'one', user_permission: true })
  await written({ msg: 'command', operation: 'print.pause', outcome: 'failed' })
  t.match((await entries()).find(({ outcome }) => outcome === 'failed'), { time: /^\d{4}-\d\d-\d\dT/, why: /job/ })
  await tool('set_bed_temp', { name: 'one', temp: 50 })
  await tool('get_temperatures', { name: 'one' })
  t.equal((await entries()).filter(({ msg }) => msg === 'command').length, 2, 'what was only read or not permitted is no command')
})

t.test('a printer that is busy does not fill it', async t => {
  const { kernel, entries } = await bootLogged(t, { now: () => 1_767_225_600_000 })
  const done = { operation: 'x.y', printer: 'two', surface: 'http', caller: undefined, calledAt: 1_767_225_600_000 }
  for (let n = 0; n < 200; n++) kernel.events.emit('operation:done', done)
  await eventually(async () => (await entries()).some(({ msg }) => msg === 'more of this minute is left out'))
  t.equal((await entries()).filter(({ printer }) => printer === 'two').length, 60)
})
