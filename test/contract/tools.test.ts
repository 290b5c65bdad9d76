import t from 'tap'
import type { Test } from 'tap'
import { boot } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { commandsOf, oneFleet, refreshesIn, type Fleet } from './fleet.js'
import { TOOL_CASES, type ToolCase } from './tools.cases.data.js'
import { GROUPS, TOOLS, type ToolRow } from './tools.data.js'
import { asks, casesOf, complete, ROWS, takesName, takesPrinter, unpacked, wrongResult } from './tools.walk.js'
import type { ParamType } from './rows.js'

const fleetOnce = oneFleet(t)

t.test('the table holds every tool', async t => {
  t.equal(TOOLS.length, 104)
  t.equal(new Set(TOOLS.map(({ name }) => name)).size, 104, 'each once')
  for (const [group, count] of Object.entries(GROUPS)) {
    t.equal(TOOLS.filter(row => row.group === group).length, count, group)
  }
  const kinds = ['read', 'write', 'destructive', 'local'].map(kind => TOOLS.filter(row => row.kind === kind).length)
  t.same(kinds, [51, 40, 12, 1], 'by kind')
  t.equal(TOOLS.filter(asks).length, 50, 'that ask for consent')
})

const SCHEMA_TYPES: Readonly<Partial<Record<ParamType, string>>> =
  { string: 'string', integer: 'integer', number: 'number', boolean: 'boolean', integers: 'array', strings: 'array' }

interface Property { readonly type?: string, readonly default?: unknown }

t.test('what exists is offered with its arguments and annotations, and nothing else', async t => {
  const { client, kernel } = await fleetOnce()
  const { tools } = await client.listTools()
  const known = new Set(TOOLS.map(({ name }) => name))
  for (const { name } of kernel.contributed('tools')) t.ok(known.has(name), name)
  for (const row of ROWS) {
    const { name, kind, title, params, again = true, outside = kind === 'write' || kind === 'destructive' } = row
    const tool = tools.find(tool => tool.name === name)
    t.ok(tool, name)
    t.equal(tool?.title, title)
    t.same(tool?.annotations, {
      readOnlyHint: kind === 'read',
      destructiveHint: kind === 'destructive',
      idempotentHint: again,
      openWorldHint: outside
    }, name)
    const { type, properties = {}, required = [] } = tool?.inputSchema ?? { type: 'object' }
    const names = [...(takesName(row) ? ['name'] : []), ...params.map(({ name }) => name)]
    t.equal(type, 'object')
    t.same(Object.keys(properties), [...names, ...(asks(row) ? ['user_permission'] : [])], name)
    t.same(required, names.filter(name => params.find(param => param.name === name)?.required !== false), name)
    for (const param of params) {
      const { type, default: preset = param.default } = properties[param.name] as Property
      const wanted = [SCHEMA_TYPES[param.type] ?? type, param.default]
      t.same([type, preset], wanted, `${name}.${param.name}`)
    }
    t.ok(casesOf(row).good.length > 0, `${name} is tried`)
  }
})

/** One case on one printer: its result, and what the printer heard of it. */
async function tryCase (t: Test, fleet: Fleet, row: ToolRow, trial: ToolCase, printer: string): Promise<void> {
  const { unasked = false } = casesOf(row)
  const { args, wire: wanted = [], known, answer } = trial
  const title = `${row.name} ${JSON.stringify(args)} on ${printer}`
  const heard = await fleet.heard([printer], async () => {
    const before = fleet.of(printer).requests.length
    const given = { ...args, ...trial.own?.(fleet.of(printer)) }
    const ask = () => fleet.tool(row.name, complete(row, given, printer))
    const reply = await (trial.lives === true ? fleet.living(ask) : ask())
    t.same(wrongResult(row, reply, { ...args, ...known, name: printer }), [], title)
    if (answer) t.match(unpacked(reply.value), answer, title)
    if (unasked) await eventually(() => fleet.of(printer).requests.length >= before + wanted.length)
  })
  const wire = heard.get(printer) ?? []
  t.same(commandsOf(wire), commandsOf(wanted), `${title}: what the printer heard`)
  if (refreshesIn(wanted) > 0) t.ok(refreshesIn(wire) >= refreshesIn(wanted), `${title}: it was asked for everything`)
}

t.test('every tool does what it says, on every family', async t => {
  const fleet = await fleetOnce()
  for (const row of ROWS) {
    for (const trial of casesOf(row).good) {
      const printers = fleet.names.filter(name => trial.models?.includes(fleet.model(name)) ?? true)
      const some = takesPrinter(row) ? printers : printers.slice(0, 1)
      await fleet.become(trial.while ?? 'idle', some)
      await Promise.all(some.map(printer => tryCase(t, fleet, row, trial, printer)))
    }
  }
  await fleet.become('idle', fleet.names)
})

const ENVELOPED = ['get_printer_state', 'get_filament_catalog', 'list_sdcard_files']
const LONGEST_PLAIN = 300

t.test('large results come in an envelope, of three tools only', async t => {
  const { tool, name } = await fleetOnce()
  for (const row of ROWS.filter(({ kind }) => kind === 'read')) {
    const { value } = await tool(row.name, complete(row, TOOL_CASES[row.name]?.good[0]?.args ?? {}, name))
    t.equal(value.compressed === true, ENVELOPED.includes(row.name), row.name)
  }
  const { value } = await tool('get_filament_catalog')
  const json = JSON.stringify(unpacked(value))
  t.same({ ...value, data: '' }, {
    compressed: true,
    encoding: 'gzip+base64',
    original_size_bytes: Buffer.byteLength(json),
    compressed_size_bytes: Buffer.from(value.data, 'base64').length,
    data: ''
  })
  const small = await tool('get_filament_catalog', { search: 'no such thing' })
  t.ok(small.text.length <= LONGEST_PLAIN)
  t.same(small.value, { count: 0, filaments: [] }, 'a small one stays as it is')
  t.same((await tool('get_printer_state', { name: 'x'.repeat(LONGEST_PLAIN + 1) })).value,
    { error: `Printer '${'x'.repeat(LONGEST_PLAIN + 1)}' not connected` }, 'so does an error')
})

t.test('the envelope can be switched off', async t => {
  const { tool, name } = await boot(t, { models: ['P1S'], config: { plugins: { mcp: { envelope: false } } } })
  for (const { name: tooled, ...row } of ROWS.filter(({ name }) => ENVELOPED.includes(name))) {
    const answer = await tool(tooled, complete({ ...row, name: tooled }, {}, name))
    t.ok(answer.text.length > LONGEST_PLAIN, tooled)
    t.same(wrongResult({ ...row, name: tooled }, answer, {}), [])
    t.notOk('compressed' in answer.value)
  }
})

/** A token is about four characters of the JSON that agents are given. */
const CHARS_PER_TOKEN = 4
const MOST_TOKENS = 350
const MOST_ON_AVERAGE = 110

t.test('the definitions are short', async t => {
  const { client } = await fleetOnce()
  const { tools } = await client.listTools()
  const tokens = tools.map(tool => ({ name: tool.name, count: JSON.stringify(tool).length / CHARS_PER_TOKEN }))
  for (const { name, count } of tokens) t.ok(count <= MOST_TOKENS, `${name}: ${Math.round(count)}`)
  const average = tokens.reduce((sum, { count }) => sum + count, 0) / tokens.length
  t.ok(average <= MOST_ON_AVERAGE, `${Math.round(average)} on average`)
  for (const { name, description } of tools) t.match(description, /\S{2}/, `${name} is described`)
})
