import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { createKernel } from '../../../core/index.js'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { headersOf } from '../../../plugins/mcp/revision.js'
import daemon from '../../../presets/daemon/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'
import { argumentsOf, COMMAND, environmentOf, START_WITHIN_MS } from './child.js'
import { STATELESS } from './connect-stateless.js'

/** A printer whose name is no plain ASCII, so that headers that repeat it have to be encoded. */
const NAME = 'Küche'
const URI = 'prnd://printers/Küche'

async function place (t: Test) {
  const printer = createVirtualPrinter({ model: 'X1C', name: NAME })
  await printer.start()
  t.teardown(() => printer.stop())
  const { name, host, serial, accessCode, fingerprint, ports: { mqtt } } = printer
  const printers = [{ name, host, serial, accessCode, ports: { mqtt }, tls: { mode: 'pin' as const, fingerprint } }]
  const folder = testFolder(t)
  const port = await freePort()
  return { printer, printers, folder, port, env: await environmentOf({ folder, port, config: { printers } }) }
}

async function connect (t: Test, env: Record<string, string>) {
  const errors: Error[] = []
  const client = new Client({ name: 'desktop', version: '1.0.0' }, {
    versionNegotiation: { mode: { pin: STATELESS }, probe: { timeoutMs: START_WITHIN_MS } },
    capabilities: { elicitation: { form: {} } }
  })
  client.onerror = error => errors.push(error)
  await client.connect(new StdioClientTransport({ command: COMMAND, args: argumentsOf('mcp'), env, stderr: 'pipe' }))
  t.teardown(() => client.close())
  return { client, errors }
}

type Served = Awaited<ReturnType<typeof connect>> & { printer: { patch (report: object): void } }

/** What must work whoever serves. */
async function tryAll (t: Test, { client, errors, printer }: Served): Promise<void> {
  t.match(await client.readResource({ uri: URI }), { contents: [{ uri: URI }] })
  await t.rejects(client.readResource({ uri: 'prnd://nothing' }), { code: -32_602 })
  const updated: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => { updated.push(params.uri) })
  const stream = await client.listen({ resourceSubscriptions: [URI] })
  printer.patch({ bed_temper: 71 })
  await eventually(() => updated.includes(URI), 10_000)
  await stream.close()

  const questions: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message)
    return { action: 'accept', content: { agree: true } }
  })
  const heated = await client.callTool({ name: 'set_bed_temp', arguments: { name: NAME, temp: 50 } })
  t.match(heated, { structuredContent: { result: /set to 50°C/ } })
  t.equal(questions.length, 1)
  t.same(errors, [], 'nothing but protocol came')
}

t.test('with no service running the command serves both revisions', async t => {
  const { printer, env } = await place(t)
  const joined = await connect(t, env)
  await eventually(async () => JSON.stringify(await joined.client.readResource({ uri: 'prnd://printers' }))
    .includes('CONNECTED'), 60_000)
  await tryAll(t, { ...joined, printer })
})

t.test('a running service is asked over HTTP, and one that was restarted is not noticed', async t => {
  const { printer, printers, folder, port, env } = await place(t)
  const start = async () => {
    const kernel = await createKernel(daemon, {
      dataDir: `${folder}/data`,
      log: { file: false },
      api: { host: '127.0.0.1' },
      ports: { preferred: port, start: port, end: port },
      printers
    })
    await kernel.start()
    t.teardown(() => kernel.close())
    await eventually(() => kernel.printers.get(NAME)?.service === 'CONNECTED', 60_000)
    return kernel
  }
  const first = await start()
  const joined = await connect(t, env)
  await tryAll(t, { ...joined, printer })
  t.equal(first.services.mcp.sessions, 0)
  const before = await joined.client.callTool({ name: 'get_configured_printers' })
  const lost = await joined.client.listen({ resourceSubscriptions: [URI] })
  await first.close()
  t.equal(await lost.closed, 'graceful', 'whoever listened is told')
  await t.rejects(joined.client.callTool({ name: 'get_configured_printers' }), /does not answer/)
  await start()
  t.same((await joined.client.callTool({ name: 'get_configured_printers' })).content, before.content)
})

t.test('headers repeat what a request says', async t => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS }
  const named = (name: string) => headersOf({ method: 'tools/call', params: { _meta, name } })['mcp-name']
  t.same(headersOf({ method: 'tools/list', params: { _meta } }),
    { 'mcp-method': 'tools/list', 'mcp-protocol-version': STATELESS })
  t.equal(named('get_user_pref'), 'get_user_pref')
  t.equal(named('Küche'), '=?base64?S8O8Y2hl?=')
  for (const odd of [' a', 'a ', '=?base64?YQ==?=', 'a\nb']) t.match(named(odd), /^=\?base64\?[\w+/=]+\?=$/, odd)
  t.same(headersOf({ method: 'tools/list' }), { 'mcp-method': 'tools/list' })
})
