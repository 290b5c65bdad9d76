import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { wordsOf } from '../../../plugins/notify/words.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { entryOf } from '../../presets/prnd.js'
import { recordedWith } from './preset.js'
import type { Print } from './prints.js'

const WITHIN_MS = 60_000

const newest = async ({ http }: Booted): Promise<Print | undefined> =>
  ((await http('GET', '/api/history')).body as { prints: Print[] }).prints[0]

const told = ({ kernel }: Booted) => kernel.services.alerts.history.after('', 'a1').alerts
  .filter(({ type }) => ['job_finished', 'job_failed'].includes(type))

t.test('a print that ended while the service was off is told at the next start, once, with its age', async t => {
  const printer = createVirtualPrinter({ model: 'A1', name: 'a1', host: '127.0.0.1', speed: 30, reportEveryMs: 300 })
  t.teardown(() => printer.stop())
  await printer.start()
  const dataDir = testFolder(t)
  const start = (t: Test) => boot(t, {
    preset: recordedWith(), models: [], config: { dataDir, printers: [entryOf(printer, { host: '127.0.0.1' })] }
  })
  const first = await start(t)
  await eventually(() => first.kernel.printers.get('a1')?.live === true, WITHIN_MS)
  printer.startJob({ name: 'vase', layers: 20, minutes: 10 })
  await eventually(async () => (await newest(first))?.result === 'running', WITHIN_MS)
  await first.close()
  await eventually(() => printer.report().gcode_state === 'FINISH', WITHIN_MS)

  const second = await start(t)
  await eventually(() => told(second).length > 0, WITHIN_MS)
  const [alert] = told(second)
  t.match(told(second), [{ type: 'job_finished', payload: { subtask_name: 'vase', ended_unseen: true, last_seen: /^20/ } }])
  // The alert goes first; the record waits for the file that the next service goes on with.
  await eventually(async () => (await newest(second))?.result !== 'running', WITHIN_MS)
  t.match(await newest(second), { result: 'finished', end_seen: false })
  const aged = alert && { ...alert, payload: { ...alert.payload, unseen_min: 185 } }
  t.match(aged && wordsOf(aged).text, /ended while the printer was not watched, within the last 3 h 5 min/)
  await second.close()

  const third = await start(t)
  await eventually(() => third.kernel.printers.get('a1')?.live === true, WITHIN_MS)
  printer.startJob({ name: 'lid', layers: 20, minutes: 10 })
  await eventually(() => told(third).length > 0, WITHIN_MS)
  t.match(told(third), [{ payload: { subtask_name: 'lid' } }], 'what was told is not told again')
  t.equal(told(third)[0]?.payload.ended_unseen, undefined)
})
