import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { BadInput, definePlugin, definePreset, operation, tool, type Operation } from '../../../core/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { listening, messagesOf } from './connect.js'

type Spec = Parameters<typeof operation>[0]

const nothing = Type.Object({})
const probe = (run: Spec['run'], more: Partial<Spec> = {}): Operation<any, any, any> => operation({
  name: 'odd.probe', summary: 'Does something odd', effect: 'read', scope: 'daemon', input: nothing, output: Type.Any(), run, ...more
} as Spec)

type Face = Partial<Parameters<typeof tool>[1]>

/** The daemon with one more tool, `odd`. */
const withTool = (op: Operation<any, any, any>, face: Face = {}) => definePreset({
  name: 'daemon',
  plugins: [daemon.plugins, definePlugin({
    name: 'odd', version: '1.0.0', kernel: '^2.0.0', contributes: { tools: [tool(op, { name: 'odd', ...face } as never)] }
  })]
})

const bootWith = (t: Test, op: Operation<any, any, any>, face?: Face) =>
  boot(t, { models: [], preset: withTool(op, face) })

t.test('an unknown tool is -32602', async t => {
  const { client } = await boot(t, { models: [] })
  for (const name of ['nothing_such', '__proto__', 'constructor']) {
    await t.rejects(client.callTool({ name }), { code: -32_602, message: /Unknown tool/ }, name)
  }
})

t.test('arguments that do not fit are an answer that names the place', async t => {
  const { tool, name, printer } = await boot(t)
  const before = printer.requests.length
  const cases = [
    [{}, "'name' is required"], [{ name, temp: 'hot' }, 'temp must be number'], [{ name: 5, temp: 60 }, 'name must be string'],
    [{ name }, "'temp' is required"], [{ name, temp: 60, user_permission: 'yes' }, 'user_permission must be boolean']
  ] as const
  for (const [args, problem] of cases) {
    const answer = await tool('set_bed_temp', { user_permission: true, ...args })
    t.ok(answer.failed)
    t.equal(answer.text, `Error: ${problem}`)
  }
  const list = await tool('get_session_status', {})
  t.same(list.value, { error: "'name' is required" }, 'in the shape of the tool')
  t.equal(printer.requests.length, before, 'and nothing was sent')
})

t.test('null stands for an optional argument that is not given', async t => {
  const { tool } = await boot(t, { models: [] })
  t.notOk((await tool('dump_log', { tail_lines: null })).failed)
  t.ok((await tool('get_session_status', { name: null })).failed, 'not for a required one')
  t.match(await tool('print_file', { name: 'x', file_path: '/a.3mf', ams_mapping: null }), { text: /user_permission/ },
    'nor is it counted among the kinds that a parameter takes')
  t.same((await tool('set_user_pref', { name: 'x', key: 'k', value: null })).value.value, null, 'a null that is asked for stays')
})

t.test('without permission nothing happens, and the consequence is stated', async t => {
  const { tool, printer, name } = await boot(t)
  const before = printer.requests.length
  for (const permission of [{}, { user_permission: false }]) {
    const { text, failed } = await tool('stop_print', { name, ...permission })
    t.ok(failed)
    t.match(text, /^Error: user_permission must be True to perform this action\. \S.+\.$/)
  }
  t.equal((await tool('force_state_refresh', { name })).value.error.slice(0, 21), 'Error: user_permissio')
  t.equal(printer.requests.length, before)
})

t.test('whatever a tool throws is an answer', async t => {
  const thrown = [new Error('plain'), 'words', undefined, null, 42n, Symbol('sign'), {}, Object.create(null),
    { toString () { throw new Error('worse') } }, new BadInput('not like that')]
  for (const error of thrown) {
    const { tool, client } = await bootWith(t, probe(() => { throw error }))
    const { text, failed } = await tool('odd')
    t.ok(failed)
    t.match(text, /error/i, text)
    t.ok((await client.ping()), 'and the session lives')
  }
})

t.test('whatever a tool returns is an answer', async t => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const value of [undefined, circle, { big: 1n }]) {
    const { tool } = await bootWith(t, probe(() => value))
    const { failed, text } = await tool('odd')
    t.ok(failed)
    t.match(text, /^\{"error":"Error running odd/)
  }
  const { tool } = await bootWith(t, probe(() => [1, 2]), { returns: 'list' })
  t.same((await tool('odd')).value, { result: [1, 2] })
})

t.test('a mapping that throws, on the way in or out, is an answer too', async t => {
  const op = probe(() => 1)
  const incoming = await bootWith(t, op, { params: nothing, input () { throw new Error('in') } } as Face)
  t.match((await incoming.tool('odd')).text, /Error running odd on '': in/)
  const outgoing = await bootWith(t, op, { result () { throw new Error('out') }, doing: 'counting' })
  t.equal((await outgoing.tool('odd')).text, '{"error":"Error counting: out"}')
})

t.test("a printer's name with odd characters stays as it is in errors", async t => {
  const { tool } = await boot(t, { models: [{ model: 'X1C', name: 'a $& $1 b' }] })
  const op = await tool('set_nozzle_temp', { name: 'a $& $1 b', temp: 20, extruder: 7, user_permission: true })
  t.match(op.text, /extruder/)
  t.match((await tool('get_temperatures', { name: '$& nobody' })).value, { error: "Printer '$& nobody' not connected" })
})

t.test('a name that is not configured is told from a printer without a session, whatever a tool returns', async t => {
  const { client, name, kernel } = await boot(t)
  const call = async (printer: string) => {
    const { content } = await client.callTool({
      name: 'set_bed_temp', arguments: { name: printer, temp: 20, user_permission: true }
    })
    return (content as { text: string }[]).map(({ text }) => text)
  }
  t.same(await call('nobody'),
    ["Error: Printer 'nobody' not connected.", `No printer of that name is configured. Configured: '${name}'.`])
  await kernel.printers.disconnect(name)
  t.same(await call(name), [
    `Error: Printer '${name}' not connected.`,
    `'${name}' is configured, but has no session: the tool start_printer starts one.`
  ])
})

t.test('progress reaches a client that asked, and only growing numbers', async t => {
  const op = probe((async ({ progress }: { progress: (...args: any[]) => void }) => {
    for (const step of [0, 1, 1, 0, 2]) progress(step, 2, `step ${step}`)
    return { done: true }
  }) as Spec['run'])
  const { connect } = await listening(t, { models: [], preset: withTool(op) })
  const { client } = await connect()
  const seen: object[] = []
  const result = await client.callTool({ name: 'odd' }, undefined, { onprogress: progress => seen.push(progress) })
  t.match(result, { structuredContent: { done: true } })
  t.same(seen, [0, 1, 2].map(step => ({ progress: step, total: 2, message: `step ${step}` })))
  t.match(await client.callTool({ name: 'odd' }), { structuredContent: { done: true } }, 'and is not sent otherwise')
})

const untilAborted = () => {
  const seen = { started: 0, aborted: 0 }
  const op = probe((({ signal }: { signal: AbortSignal }) => {
    seen.started++
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => { seen.aborted++; reject(signal.reason) }, { once: true })
    })
  }) as Spec['run'])
  return { seen, op }
}

t.test('cancelling aborts a running operation, and the client finds nothing odd', async t => {
  const { op, seen } = untilAborted()
  const { connect } = await listening(t, { models: [], preset: withTool(op) })
  for (const resume of [true, false]) {
    const { client, transport } = await connect()
    if (!resume) transport.setProtocolVersion('2025-06-18')
    const errors: Error[] = []
    client.onerror = error => errors.push(error)
    const controller = new AbortController()
    const call = client.callTool({ name: 'odd' }, undefined, { signal: controller.signal })
    call.catch(() => {})
    const before = seen.aborted
    await eventually(() => seen.started > before)
    controller.abort('enough')
    await t.rejects(call)
    await eventually(() => seen.aborted === before + 1)
    await new Promise(resolve => setTimeout(resolve, 500)) // time to come back for more
    t.same(errors, [])
    t.ok(await client.ping())
  }
})

t.test('the stream of a cancelled request ends without an answer', async t => {
  const { op, seen } = untilAborted()
  const { raw, begin } = await listening(t, { models: [], preset: withTool(op) })
  const session = await begin()
  for (const version of ['2025-11-25', '2025-06-18']) {
    const headers = { 'mcp-protocol-version': version }
    const before = seen.started
    const body = { jsonrpc: '2.0', id: version, method: 'tools/call', params: { name: 'odd' } }
    const reply = await raw('POST', { session, headers, body })
    await eventually(() => seen.started > before)
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: version } }
    t.equal((await raw('POST', { session, headers, body: cancel })).status, 202)
    t.same(messagesOf(await reply.text()), [], version)
  }
  const late = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never' } }
  t.equal((await raw('POST', { session, body: late })).status, 202, 'one that never was')
})

t.test('a client that leaves and a service that closes abort what runs', async t => {
  const { op, seen } = untilAborted()
  const { connect, kernel } = await listening(t, { models: [], preset: withTool(op) })
  const { client, transport } = await connect()
  client.callTool({ name: 'odd' }).catch(() => {})
  await eventually(() => seen.started === 1)
  await transport.terminateSession()
  await eventually(() => seen.aborted === 1)
  const { client: second } = await connect()
  second.callTool({ name: 'odd' }).catch(() => {})
  await eventually(() => seen.started === 2)
  await kernel.close()
  t.equal(seen.aborted, 2)
})
