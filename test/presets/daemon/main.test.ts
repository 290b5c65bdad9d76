import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { VERSION } from '../../../core/index.js'
import { eventually } from '../../helpers/eventually.js'
import { build, finished, listening, run, type Running, poolOf } from '../../outside/installed.js'
import { CLI, configured, daemon, off, parallelIn } from '../prnd.js'

t.before(build)
const parallel = parallelIn(t)

/** Tells the service to end, and sees that it does. */
async function ends (t: Test, { child, gone, stderr }: Running, signal: NodeJS.Signals) {
  child.kill(signal)
  t.same(await gone, [0, null], `${signal}: ${stderr()}`) // one that had to be cut short ends with 1
}

parallel('the daemon says where it is and what is open, and ends at a signal', async t => {
  const { file } = await configured(t, { printers: [off], api: { host: '0.0.0.0' } })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const service = daemon(t, file)
    const port = await listening(service)
    await eventually(() => service.stdout().includes('PRN_API_TOKEN'))
    const said = service.stdout().replace(/^Port \d+ is taken: .*\n/m, '') // by a test beside this one
    t.equal(said, `prnd ${VERSION}, 1 printer: off\n  Page  http://localhost:${port}/\n  API   http://localhost:${port}/api\n` +
      `  Docs  http://localhost:${port}/api/docs\n  MCP   http://localhost:${port}/mcp\n` +
      `  HTTPS http://localhost:${port}/encryption says how other devices use it\n` +
      `Anyone who reaches 0.0.0.0:${port} can control the printers: set PRN_API_HOST=127.0.0.1 or PRN_API_TOKEN to prevent that.\n`)
    await ends(t, service, signal)
  }
})

/** A port that another program has. */
async function takenPort (t: Test): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  return (server.address() as AddressInfo).port
}

parallel('a preferred port that is taken is said, or refused where nobody would see it', async t => {
  const taken = await takenPort(t)
  const { file } = await configured(t, { printers: [off], api: { host: '0.0.0.0' } })
  const args = [CLI, 'daemon', '-c', file]
  const env = { PRN_API_PORT: String(taken) }
  const service = run(t, args, { env })
  const port = await listening(service)
  t.not(port, taken)
  t.match(service.stdout(), `Port ${taken} is taken: port ${port} is used instead.\n  Page  http://localhost:${port}/`)
  await ends(t, service, 'SIGTERM')
  for (const more of [{ PRN_PORT_STRICT: '1' }, { INVOCATION_ID: 'a1b2' }]) {
    const { code, err } = await finished(t, args, { env: { ...env, ...more } })
    t.equal(code, 1)
    t.match(err, new RegExp(`^Port ${taken} was requested but is in use by another program`, 'm'))
  }
  const given = run(t, args, { env: { INVOCATION_ID: 'a1b2' } })
  await listening(given) // none was asked for
  await ends(t, given, 'SIGTERM')
})

parallel('a second service on the same data folder is refused, after a kill it is not', async t => {
  const { file } = await configured(t, { printers: [off] })
  const first = daemon(t, file)
  const port = await listening(first)
  for (const command of ['daemon', 'app']) {
    const { code, err } = await finished(t, [CLI, command, '-c', file])
    t.equal(code, 1)
    t.match(err, new RegExp(`^The data folder .* is in use by a running service \\(process ${first.child.pid}, on port ${port}\\)`, 'm'))
  }
  first.child.kill('SIGKILL')
  await first.gone
  const second = daemon(t, file)
  await listening(second)
  await ends(t, second, 'SIGTERM')
})

parallel('without a printer a virtual one takes its place, demo leaves the configured ones alone', async t => {
  const { file } = await configured(t, {})
  const service = daemon(t, file)
  const port = await listening(service)
  t.match(service.stdout(), /^No printer is configured: using a virtual one\.[^]*1 printer: virtual-p1s$/m)
  await eventually(async () => (await (await fetch(`http://127.0.0.1:${port}/api/session_status`)).json() as { recent_update?: boolean }).recent_update, 10_000)
  await ends(t, service, 'SIGTERM')
  const { file: other } = await configured(t, { printers: [off], defaultPrinter: 'off' })
  const demo = run(t, [CLI, 'demo', 'p1s,h2d', '--speed', '60'], { env: { PRN_CONFIG: other } })
  const demoPort = await listening(demo)
  t.match(demo.stdout(), /2 printers: virtual-p1s, virtual-h2d$/m)
  await eventually(async () => (await fetch(`http://127.0.0.1:${demoPort}/api/session_status`)).status === 200, 10_000)
  await ends(t, demo, 'SIGINT')
})

parallel('the default printer of the environment may be a virtual one; any other is ignored with a warning', async t => {
  for (const [wanted, warned, chosen] of [
    ['Virtual-H2D', '', { printer: 'virtual-h2d', source: 'env_var' }],
    ['garage', "Warning: PRN_API_PRINTER='garage' is no virtual printer (virtual-p1s, virtual-h2d); it is ignored\n",
      { source: /^(first_connected|none)$/ }]
  ] as const) {
    const { file } = await configured(t, { printers: [{ ...off, name: 'garage' }] })
    const demo = run(t, [CLI, 'demo', 'p1s,h2d', '--speed', '60'], { env: { PRN_CONFIG: file, PRN_API_PRINTER: wanted } })
    const port = await listening(demo)
    t.equal(demo.stderr(), warned)
    t.match(await (await fetch(`http://127.0.0.1:${port}/api/default_printer`)).json(), chosen)
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/api/session_status`)).status === 200, 10_000)
    await ends(t, demo, 'SIGTERM')
  }
})

parallel('without a printer and without virtual ones it runs, and says so', async t => {
  const { file } = await configured(t, { plugins: { emulator: false } })
  const service = daemon(t, file)
  const port = await listening(service)
  t.match(service.stdout(), /^No printer is configured, and virtual printers are off \(plugins\.emulator\)\.[^]*0 printers$/m)
  t.notMatch(service.stdout(), 'using a virtual one')
  const answer = await fetch(`http://127.0.0.1:${port}/api/session_status`)
  t.match(await answer.json(), { error: 'no_printer', reason: /^No printer is configured yet\./ })
  await ends(t, service, 'SIGTERM')
  const { file: other } = await configured(t, { printers: [off], plugins: { emulator: false } })
  const next = daemon(t, other)
  await listening(next)
  t.match(next.stdout(), /^prnd .* 1 printer: off$/m, 'with one it needs no second thought')
  await ends(t, next, 'SIGTERM')
})

const ENDLESS = `
  import { definePlugin } from 'prnd'
  export default definePlugin({
    name: 'endless', version: '1.0.0', kernel: '*',
    setup ({ app }) {
      app.get('/plugins/stream', (request, reply) => {
        reply.hijack()
        reply.raw.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=x' })
        const timer = setInterval(() => reply.raw.write('--x\\r\\n\\r\\n' + 'frame'.repeat(2000) + '\\r\\n'), 10)
        reply.raw.once('close', () => clearInterval(timer))
      })
      app.get('/plugins/never', () => new Promise(() => {}))
    }
  })`

parallel('it ends in time with watchers, unanswered requests, idle connections and printers that are off', async t => {
  const { file } = await configured(t, { printers: [off, { ...off, name: 'lost', host: '192.0.2.1', serial: 'S2' }] }, ENDLESS)
  const service = daemon(t, file)
  const port = await listening(service)
  const open = (request: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    t.teardown(() => { socket.destroy() })
    socket.write(request)
    return socket
  }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`
  const watching = open(get('/plugins/stream'))
  await once(watching, 'data')
  watching.resume()
  const slow = open(get('/plugins/stream'))
  await once(slow, 'data')
  slow.pause() // takes nothing any more
  open(get('/plugins/never'))
  open('')
  open('GET / HT')
  await new Promise(resolve => setTimeout(resolve, 100))
  await ends(t, service, 'SIGTERM')
})

parallel('a signal while it starts ends it too', async t => {
  const source = (when: string) => `
    import { definePlugin } from 'prnd'
    ${when === 'import' ? "console.log('importing'); await new Promise(resolve => setTimeout(resolve, 60_000))" : ''}
    export default definePlugin({ name: 'slow', version: '1.0.0', kernel: '*', setup () { console.log('setting up'); return new Promise(() => {}) } })`
  for (const when of ['import', 'setup']) {
    const { file } = await configured(t, { printers: [off] }, source(when))
    const service = daemon(t, file)
    await eventually(() => /importing|setting up/.test(service.stdout()), 60_000)
    await ends(t, service, 'SIGTERM')
    t.equal(service.stderr(), '')
  }
})

parallel('a second signal ends it at once, whatever it waits for', async t => {
  const { file } = await configured(t, { printers: [off] }, `
    import { definePlugin } from 'prnd'
    export default definePlugin({ name: 'unwilling', version: '1.0.0', kernel: '*', setup ({ onClose }) {
      onClose(() => { console.log('closing'); return new Promise(() => {}) })
    } })`)
  const service = daemon(t, file)
  await listening(service)
  service.child.kill('SIGTERM')
  await eventually(() => service.stdout().includes('closing'))
  service.child.kill('SIGTERM')
  t.same(await service.gone, [1, null])
})

parallel('an error nobody foresaw is told of and ends it with 1', async t => {
  const { file } = await configured(t, { printers: [off] }, `
    import { definePlugin } from 'prnd'
    export default definePlugin({ name: 'rash', version: '1.0.0', kernel: '*', setup ({ app }) {
      app.get('/plugins/crash', () => { setImmediate(() => { throw new Error('out of the blue') }); return 'ok' })
    } })`)
  const service = daemon(t, file)
  const port = await listening(service)
  await fetch(`http://127.0.0.1:${port}/plugins/crash`)
  t.same(await service.gone, [1, null])
  t.match(service.stderr(), /out of the blue/)
})

parallel('mcp: nothing but the protocol on its output, alone or joined to a service', async t => {
  const { file } = await configured(t, { printers: [off] })
  const env = poolOf(100, 100)
  const speak = async () => {
    const args = [CLI, 'mcp', '-c', file]
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
    let said = ''
    transport.stderr?.on('data', chunk => { said += String(chunk) })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    const { tools } = await client.listTools()
    await client.close()
    return { count: tools.length, said }
  }
  const alone = await speak()
  t.ok(alone.count > 20)
  t.match(alone.said, /no service was running; this process serves now, on port \d+/)
  const service = run(t, [CLI, 'daemon', '-c', file], { env })
  const port = await listening(service)
  const joined = await speak()
  t.equal(joined.count, alone.count)
  t.match(joined.said, `joining the service on port ${port}`)
  await ends(t, service, 'SIGTERM')
})
