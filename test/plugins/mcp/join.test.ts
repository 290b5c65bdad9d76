import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createKernel, definePlugin, definePreset } from '../../../core/index.js'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { eventually } from '../../helpers/eventually.js'
import { argumentsOf, COMMAND, environmentOf, start, START_WITHIN_MS, talk } from './child.js'
import { freePort } from '../../helpers/ports.js'
import { testFolder } from '../../helpers/folder.js'

/** Counts the connections to a printer, from whomever they come. */
async function countConnections (t: Test, port: number) {
  const sockets = new Set<Socket>()
  const counter = { made: 0, get open () { return sockets.size }, port: 0 }
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    counter.made++
    sockets.add(near)
    near.on('close', () => { sockets.delete(near); far.destroy() }).on('error', () => {}).pipe(far)
    far.on('close', () => near.destroy()).on('error', () => {}).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  counter.port = (server.address() as AddressInfo).port
  t.teardown(() => { server.close(); for (const socket of sockets) socket.destroy() })
  return counter
}

const steps = defineRawTool({
  effect: 'read',
  definition: { name: 'steps', inputSchema: { type: 'object' } },
  async run (_, { progress }) {
    for (const step of [1, 2, 3]) {
      progress(step, 3)
      await sleep(50)
    }
    return { content: [{ type: 'text', text: 'three' }] }
  }
})
const pause = defineRawTool({
  effect: 'read',
  definition: { name: 'pause', inputSchema: { type: 'object' } },
  async run () {
    await sleep(500)
    return { content: [{ type: 'text', text: 'over' }] }
  }
})
const slow = definePlugin({ name: 'slow', version: '1.0.0', kernel: '^2.0.0', contributes: { rawTools: [steps, pause] } })
const preset = definePreset({ name: 'daemon', plugins: [daemon.plugins, slow] })

/** A service in this process, and how to start the same one again. */
async function withService (t: Test, token?: string) {
  const printer = createVirtualPrinter({ model: 'X1C', name: 'bench' })
  await printer.start()
  const connections = await countConnections(t, printer.ports.mqtt)
  const { name, host, serial, accessCode, fingerprint } = printer
  const port = await freePort()
  const folder = testFolder(t, { agent: {} })
  const run = async () => {
    const kernel = await createKernel(preset, {
      dataDir: `${folder}/agent/data`,
      log: { file: false },
      api: { host: '127.0.0.1', ...(token !== undefined && { token }) },
      ports: { preferred: port, start: port, end: port },
      printers: [{ name, host, serial, accessCode, ports: { mqtt: connections.port }, tls: { mode: 'pin', fingerprint } }]
    })
    await kernel.start()
    t.teardown(() => kernel.close())
    await eventually(() => kernel.printers.get(name)?.live === true, START_WITHIN_MS)
    return kernel
  }
  t.teardown(() => printer.stop())
  const env = await environmentOf({ folder: `${folder}/agent`, port, ...(token !== undefined && { env: { PRN_API_TOKEN: token } }) })
  return { printer, connections, run, env }
}

t.test('it joins a running service, and outlives its restart', async t => {
  const { printer, connections, run, env } = await withService(t, 'correct-horse')
  const first = await run()
  const transport = new StdioClientTransport({ command: COMMAND, args: argumentsOf('mcp'), env, stderr: 'pipe' })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  await client.connect(transport as Transport)
  t.teardown(() => client.close())
  t.ok((await client.listTools()).tools.some(({ name }) => name === 'steps'), 'the tools are those of the service')
  t.equal(first.services.mcp.sessions, 1)
  t.same([connections.made, connections.open], [1, 1], 'the printer has one connection, not two')

  const progress: number[] = []
  const three = await client.callTool({ name: 'steps' }, undefined, { onprogress: ({ progress: at }) => progress.push(at) })
  t.match(three, { content: [{ text: 'three' }] })
  t.same(progress.slice(0, 2), [1, 2], 'progress comes through') // the client drops what comes together with the answer

  const [updated, heard] = [[] as string[], [] as unknown[]]
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { updated.push(params.uri) })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { heard.push(params.data) })
  await client.setLoggingLevel('info')
  await client.subscribeResource({ uri: 'prnd://printers/bench' })
  printer.patch({ bed_temper: 44 })
  await eventually(() => updated.length > 0)
  printer.faults.drop()
  await eventually(() => heard.length > 0)
  t.match(heard[0], { printer: 'bench', problem: 'connection_lost' }, 'and so do updates and messages')

  await first.close()
  await t.rejects(client.callTool({ name: 'get_server_info' }), { code: -32_000, message: /prnd daemon|was lost/ })
  const second = await run()
  await eventually(async () => (await client.callTool({ name: 'steps' }).catch(() => undefined))?.content, 10_000)
  updated.length = 0
  printer.patch({ bed_temper: 45 })
  await eventually(() => updated.length > 0)
  t.equal(second.services.mcp.sessions, 1, 'what it watched is watched again')
  await client.close()
  await eventually(() => second.services.mcp.sessions === 0)
})

t.test('a request at the very end of the input waits for a service that takes its time', async t => {
  const { run, env } = await withService(t)
  await run()
  const agent = await talk(t, env)
  agent.send({ id: 'last', method: 'tools/call', params: { name: 'pause' } })
  agent.process.stdin?.end()
  t.equal((await agent.gone()).code, 0)
  t.match(agent.messages().at(-1), { id: 'last', result: { content: [{ text: 'over' }] } })
})

t.test('two agents that start at once share the service of the one that comes first', async t => {
  const port = await freePort()
  const env = await environmentOf({ folder: testFolder(t), port })
  const agents = await Promise.all([talk(t, env), talk(t, env)])
  for (const agent of agents) {
    t.match(await agent.ask('tools/call', { name: 'get_server_info' }), { result: { structuredContent: { api_port: port } } })
  }
  t.same(agents.map(agent => agent.stderr().includes('joining')).sort(), [false, true])
})

t.test('a service that is killed in the middle of a request', async t => {
  const port = await freePort()
  const folder = testFolder(t, { service: {}, agent: {} })
  const service = start(t, 'daemon', await environmentOf({ folder: `${folder}/service`, port }))
  await eventually(() => service.stdout().includes(`:${port}/mcp`), START_WITHIN_MS)
  const agent = await talk(t, await environmentOf({ folder: `${folder}/agent`, port }))
  t.match(await agent.ask('tools/call', { name: 'get_server_info' }), { result: { structuredContent: { api_port: port } } })
  service.process.kill('SIGSTOP')
  const answer = agent.ask('tools/call', { name: 'get_server_info' })
  await eventually(() => agent.stderr().includes('joining'))
  await sleep(100)
  service.process.kill('SIGKILL')
  t.match(await answer, { error: { code: -32_000, message: /was lost/ } })
  await eventually(async () => /prnd daemon/.test((await agent.ask('ping')).error.message))
  t.match(await agent.ask('tools/list'), { error: { code: -32_000, message: /try again/ } }, 'later ones fail at once')
  t.ok(agent.messages().every(({ jsonrpc }) => jsonrpc === '2.0'), 'nothing but protocol was written')
  agent.process.stdin?.end()
  const { code } = await agent.gone()
  t.equal(code, 0)
})
