import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../helpers/boot.js'
import { oneFleet, type Fields } from './fleet.js'
import { inVain } from './http.bad.js'
import { CONTROL, isOf } from './rows.js'
import {
  blockWhilePrinting, passOnRefusals, refuseBadArguments, refuseWithoutSession, sayWhatWasInterrupted,
  tellSignaturesApart, tellWhyUnreachable, wantConsent
} from './tools.bad.js'
import { TOOLS } from './tools.data.js'
import { testFolder } from '../helpers/folder.js'

const fleetOnce = oneFleet(t)
const ROWS = TOOLS.filter(isOf(...CONTROL))

t.test('arguments that do not fit are refused, and nothing is sent', async t => {
  const fleet = await fleetOnce()
  await inVain(t, fleet, () => refuseBadArguments(t, fleet, ROWS))
})

t.test('nothing is done without consent, whatever else is wrong', async t => {
  t.ok(await wantConsent(t, await fleetOnce(), ROWS) >= 18)
})

t.test('a printer without a session is told in the form of the tool', async t => {
  await refuseWithoutSession(t, await fleetOnce(), ROWS)
})

t.test('a printer that cannot be reached', async t => tellWhyUnreachable(t, await fleetOnce(), ROWS))

t.test('while a job starts or runs', async t => {
  t.same(await blockWhilePrinting(t, await fleetOnce(), ROWS),
    ['load_filament', 'send_gcode', 'set_nozzle_config', 'swap_tool', 'unload_filament'])
})

t.test('what the printer refuses is refused, with its words', async t => passOnRefusals(t, await fleetOnce(), ROWS))

t.test('a printer that wants signatures is told apart', async t => tellSignaturesApart(t, await fleetOnce(), ROWS))

t.test('something unforeseen says what it interrupted', t => sayWhatWasInterrupted(t, ROWS))

t.test('files that cannot be read or written', async t => {
  const dataDir = testFolder(t)
  const log = join(dataDir, 'prnd.log')
  const { tool, kernel } = await boot(t, { models: [], config: { dataDir, log: { file: log } } })
  const missing = await tool('dump_log')
  await kernel.services.system.preferences.set({})
  for (const path of [log, join(dataDir, 'user_prefs.json')]) {
    await rm(path, { force: true })
    await mkdir(path)
  }
  t.same(missing.value, { lines: [], total_lines: 0, log_path: log }, 'nothing was logged yet')
  const trials: readonly [string, Fields, RegExp][] = [
    ['dump_log', {}, /^Error reading log file: .+ is a folder/],
    ['truncate_log', { user_permission: true }, /^Error truncating log file: EISDIR/],
    ['set_user_pref', { name: 'n', key: 'k', value: 1 }, /^Error storing preference: .+ is a folder/]
  ]
  for (const [name, args, error] of trials) t.match((await tool(name, args)).value.error, error, name)
})
