import t, { type Test } from 'tap'
import { gunzipSync } from 'node:zlib'
import { definePlugin, definePreset } from '../../../core/index.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'

const raw = (name: string, effect: 'read' | 'write') => defineRawTool({
  effect,
  consequence: 'Something moves.',
  definition: { name, inputSchema: { type: 'object' } },
  run: () => ({ content: [{ type: 'text', text: name }] })
})
const preset = definePreset({
  name: 'daemon',
  plugins: [daemon.plugins, definePlugin({
    name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { rawTools: [raw('look', 'read'), raw('move', 'write')] }
  })]
})

async function offered (t: Test, options: object) {
  const { client } = await boot(t, { models: [], preset, config: { plugins: { mcp: options } } })
  const { tools } = await client.listTools()
  const call = async (name: string) =>
    await client.callTool({ name, arguments: { name: 'x', temp: 1, user_permission: true } }).then(() => 'known', ({ code }) => code)
  return { names: tools.map(({ name }) => name), tools, call }
}

t.test('readOnly neither lists nor runs what changes a printer, whoever brought it', async t => {
  const { names, tools, call } = await offered(t, { readOnly: true, include: ['set_bed_temp', 'move'] })
  t.ok(names.includes('get_temperatures') && names.includes('look'))
  t.ok(names.includes('set_user_pref'), 'what changes only our own files stays')
  t.same(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name),
    ['set_user_pref'])
  for (const name of ['set_bed_temp', 'stop_print', 'send_mqtt_command', 'move']) {
    t.equal(await call(name), -32_602, `${name} answers as an unknown tool`)
  }
  t.equal(await call('look'), 'known')
})

t.test('toolsets keep those of some plugins, include adds single ones', async t => {
  const { names, call } = await offered(t, { toolsets: ['telemetry'], include: ['get_temperatures'] })
  t.same([...names].sort(), ['get_monitoring_data', 'get_monitoring_history', 'get_monitoring_series',
    'get_temperatures'])
  t.equal(await call('get_hms_errors'), -32_602)
  t.equal(await call('look'), -32_602)
  t.same((await offered(t, { toolsets: ['extra'] })).names, ['look', 'move'])
})

t.test('exclude beats include', async t => {
  const { names, call } = await offered(t, { exclude: ['send_gcode', 'look'], include: ['send_gcode'] })
  t.notOk(names.includes('send_gcode'))
  t.notOk(names.includes('look'))
  t.equal(await call('send_gcode'), -32_602)
  t.equal(await call('look'), -32_602)
  t.ok(names.includes('send_mqtt_command'))
})

t.test('a misspelt name would leave a tool open: it stops the start', async t => {
  const wrong = [
    [{ exclude: ['send_gcod'] }, /plugins\.mcp\.exclude: there is no tool 'send_gcod'; did you mean 'send_gcode'\?/],
    [{ include: ['nothing_like_it_at_all'] }, /plugins\.mcp\.include: there is no tool 'nothing_like_it_at_all'$/],
    [{ toolsets: ['climat'] }, /plugins\.mcp\.toolsets: there is no toolset 'climat'; did you mean 'climate'\?/]
  ] as const
  for (const [options, message] of wrong) await t.rejects(offered(t, options), { message })
  await t.rejects(offered(t, { readonly: true }), { message: /unknown key 'readonly'; did you mean 'readOnly'/ })
})

t.test('large results come packed, unless that is switched off', async t => {
  const packed = await boot(t)
  const { value: envelope } = await packed.tool('render_charts_html', { name: 'x1c', whole: true })
  t.match(envelope, { compressed: true, encoding: 'gzip+base64', original_size_bytes: Number, data: String })
  const bytes = Buffer.from(envelope.data, 'base64')
  t.equal(bytes.length, envelope.compressed_size_bytes)
  const plain = gunzipSync(bytes)
  t.equal(plain.length, envelope.original_size_bytes)
  t.match(plain.toString(), /^<!doctype html>/i)
  const open = await boot(t, { config: { plugins: { mcp: { envelope: false } } } })
  t.match((await open.tool('render_charts_html', { name: 'x1c' })).text, /^<!doctype html>/i)
  t.ok((await open.tool('get_filament_catalog')).text.length > 25_000, 'a list comes whole')
})

t.test('small results and errors are never packed', async t => {
  const { tool } = await boot(t, { models: [] })
  const { value } = await tool('get_filament_catalog', { filament_type: 'NONE' })
  t.same(value, { count: 0, filaments: [] })
  t.match((await tool('get_printer_state', { name: 'x'.repeat(400) })).value, { error: /not connected/ })
})
