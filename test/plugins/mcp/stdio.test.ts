import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { argumentsOf, COMMAND, environmentOf, start, talk } from './child.js'
import { initialize } from './connect.js'
import { freePort } from '../../helpers/ports.js'
import { testFolder } from '../../helpers/folder.js'

async function withPrinter (t: Test) {
  const printer = createVirtualPrinter({ model: 'X1C', name: 'bench' })
  await printer.start()
  t.teardown(() => printer.stop())
  const { name, host, serial, accessCode, fingerprint, ports: { mqtt } } = printer
  const config = { printers: [{ name, host, serial, accessCode, ports: { mqtt }, tls: { mode: 'pin', fingerprint } }] }
  const env = await environmentOf({ folder: testFolder(t), port: await freePort(), config })
  return { printer, env }
}

t.test('with no service running it is one, and the official client works with it', async t => {
  const { printer, env } = await withPrinter(t)
  const transport = new StdioClientTransport({ command: COMMAND, args: argumentsOf('mcp'), env, stderr: 'pipe' })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  const errors: Error[] = []
  client.onerror = error => errors.push(error)
  await client.connect(transport as Transport)
  t.teardown(() => client.close())
  t.equal(client.getServerVersion()?.name, 'prnd')
  const updated: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { updated.push(params.uri) })
  await client.subscribeResource({ uri: 'prnd://printers/bench' })
  await eventually(() => updated.includes('prnd://printers/bench'), 10_000)
  const call = (args: object) => client.callTool({ name: 'set_bed_temp', arguments: { name: 'bench', temp: 50, ...args } })
  t.match(await call({}), { isError: true })
  t.match(await call({ user_permission: true }), { structuredContent: { result: /set to 50°C/ } })
  t.match(printer.requests.at(-1)?.body, { param: 'M140 S50\n' })
  t.same(errors, [], 'nothing but protocol came')
  let gone = false
  client.onclose = () => { gone = true }
  process.kill(transport.pid ?? NaN, 'SIGTERM')
  await eventually(() => gone)
})

t.test('nothing but protocol goes to standard output, and it ends with its input', async t => {
  const { env } = await withPrinter(t)
  const agent = await talk(t, env)
  await agent.ask('logging/setLevel', { level: 'debug' })
  t.match(await agent.ask('tools/call', { name: 'get_session_status', arguments: { name: 'bench' } }),
    { result: { structuredContent: { name: 'bench' } } })
  agent.process.stdin?.write('this is no message\n{"jsonrpc":"2.0"}\n\n')
  t.match(await agent.ask('ping'), { result: {} }, 'what makes no sense is passed over')
  agent.process.stdin?.end()
  const { code } = await agent.gone()
  t.equal(code, 0)
  t.ok(agent.messages().every(({ jsonrpc }) => jsonrpc === '2.0'))
  t.match(agent.stderr(), /no service was running/)
})

t.test('requests at the very end of the input are still answered', async t => {
  const env = await environmentOf({ folder: testFolder(t), port: await freePort() })
  const child = start(t, 'mcp', env)
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'dump_log' } } // it reads a file first
  child.process.stdin?.end([initialize(), ready, call].map(message => `${JSON.stringify(message)}\n`).join(''))
  t.equal((await child.gone()).code, 0)
  const answers = child.stdout().trim().split('\n').map(line => JSON.parse(line))
  t.match(answers, [{ id: 1, result: { serverInfo: {} } }, { id: 2, result: { structuredContent: { lines: [] } } }])
})
