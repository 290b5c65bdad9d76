import t from 'tap'
import { VERSION } from '../../../core/index.js'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort } from '../../helpers/ports.js'
import { build, listening, run } from '../../outside/installed.js'
import { CLI, configured, entryOf, parallelIn } from '../prnd.js'

const USUAL_PORT = 5000

t.before(build)
const parallel = parallelIn(t)

parallel('the application says where it is, serves page and interface, and ends in time', async t => {
  const printer = createVirtualPrinter({ model: 'P1S', name: 'bench' })
  await printer.start()
  t.teardown(() => printer.stop())
  const { file } = await configured(t, { printers: [entryOf(printer)] })
  const wanted = await freePort()
  const app = run(t, [CLI, 'app', '-c', file, '--port', String(wanted)])
  const port = await listening(app)
  t.equal(port, wanted)
  const at = `http://localhost:${port}`
  await eventually(() => app.stdout().includes('Socket.IO'))
  t.equal(app.stdout(), `prnd ${VERSION}, printer: bench\n  Page       ${at}/\n  API        ${at}/api\n` +
    `  Docs       ${at}/api/docs\n  Socket.IO  ${at}\n`, 'nothing warns of anything: nobody outside reaches it')

  const page = await fetch(`http://127.0.0.1:${port}/`)
  t.match(page.headers.get('content-type'), 'text/html')
  t.match(await page.text(), /<script type="module" src="shell\/printer-[0-9a-f]+\//)
  const telemetry = async () => await (await fetch(`http://127.0.0.1:${port}/api/get_all_data`)).json() as any
  await eventually(async () => (await telemetry()).printer._recent_update === true, 20_000)
  t.match(await telemetry(), { tool: Object, bed: Object, chamber: Object, fan: Object, printer: { _config: { printer_model: 'P1S' } } })
  const stream = await fetch(`http://127.0.0.1:${port}/api/live`)
  t.equal(stream.status, 200)

  app.child.kill('SIGTERM')
  t.same(await app.gone, [0, null], `with somebody listening: ${app.stderr()}`)
  await stream.body?.cancel().catch(() => {})
})

parallel('without a printer and without virtual ones it runs, and says so', async t => {
  const { file } = await configured(t, { dataDir: 'data', plugins: { emulator: false } })
  const app = run(t, [CLI, 'app', '-c', file])
  await listening(app)
  t.match(app.stdout(), /^No printer is configured, and virtual printers are off \(plugins\.emulator\)\.[^]*printer: none$/m)
  app.child.kill('SIGINT')
  t.same(await app.gone, [0, null])
})

parallel('without a printer a virtual one takes its place; a port that is taken is said', async t => {
  const { file } = await configured(t, { dataDir: 'data' })
  const first = run(t, [CLI, 'app', '-c', file])
  const port = await listening(first)
  t.match(first.stdout(), /^No printer is configured: using a virtual one\.[^]*printer: virtual-p1s$/m)
  if (port === USUAL_PORT) t.notMatch(first.stdout(), 'is taken')
  else t.match(first.stdout(), `Port ${USUAL_PORT} is taken: port ${port} is used instead.`)
  const { file: other } = await configured(t, {})
  const second = run(t, [CLI, 'app', '-c', other, '--port', String(port)])
  const next = await listening(second)
  t.not(next, port)
  t.match(second.stdout(), `Port ${port} is taken: port ${next} is used instead.`)
  for (const { child, gone } of [second, first]) {
    child.kill('SIGINT')
    t.same(await gone, [0, null])
  }
})
