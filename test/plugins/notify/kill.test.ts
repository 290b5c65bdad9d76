import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { build, listening } from '../../outside/installed.js'
import { daemon } from '../../presets/prnd.js'
import { BROKEN, OK, startReceiver } from './receiver.js'

const configOf = (url: string) =>
  ({ notify: { targets: { hook: { type: 'webhook', url } }, rules: [{ to: ['hook'], alerts: ['job_started'] }] } })

t.test('what waits survives a kill, and is sent once by the next run', async t => {
  await build()
  const { url, received, answer } = await startReceiver(t, BROKEN)
  const dataDir = testFolder(t)
  const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s', reportEveryMs: 100 })
  await printer.start()
  t.teardown(() => printer.stop())
  const { name, host, serial, accessCode, ports, fingerprint } = printer
  const file = join(dataDir, 'config.json')
  await writeFile(file, JSON.stringify({
    printers: [{ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }], dataDir, plugins: configOf(url)
  }))
  const first = daemon(t, file)
  const port = await listening(first)
  const listed = async (at: number) => (await (await fetch(`http://127.0.0.1:${at}/api/messages`)).json() as any).messages
  const isLive = async () => (await (await fetch(`http://127.0.0.1:${port}/api/session_status`)).json() as any).recent_update === true
  await eventually(isLive, 30_000)
  printer.patch({ gcode_state: 'RUNNING', subtask_name: 'cube' })
  await eventually(() => received.length >= 1, 30_000)
  await eventually(async () => (await listed(port))[0]?.status === 'waiting', 30_000)
  first.child.kill('SIGKILL')
  await first.gone
  answer(OK)
  const before = received.length
  const second = daemon(t, file)
  const other = await listening(second)
  await eventually(async () => (await listed(other))[0]?.status === 'delivered', 60_000)
  t.equal(received.length, before + 1)
  t.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1, 'the same message')
  second.child.kill('SIGKILL')
  await second.gone
  const third = daemon(t, file)
  const last = await listening(third)
  t.match(await listed(last), [{ status: 'delivered' }])
  third.child.kill('SIGTERM')
  await third.gone
  t.equal(received.length, before + 1, 'and not again')
})
