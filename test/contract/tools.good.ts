import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from '../helpers/eventually.js'
import { changed } from './card.js'
import { commandsOf, refreshesIn, type Fleet } from './fleet.js'
import type { ParamType } from './rows.js'
import { wireOf, type ToolCase } from './tools.cases.data.js'
import { TOOLS_TRIED_ELSEWHERE } from './elsewhere.data.js'
import { TOOLS, type ToolRow } from './tools.data.js'
import { asks, casesOf, complete, takesName, takesPrinter, unpacked, wrongResult } from './tools.walk.js'

const SCHEMA_TYPES: Readonly<Partial<Record<ParamType, string>>> =
  { string: 'string', integer: 'integer', number: 'number', boolean: 'boolean', integers: 'array', strings: 'array' }

interface Property {
  readonly type?: string
  readonly default?: unknown
  readonly anyOf?: readonly Property[]
  readonly enum?: readonly unknown[]
}

/** A list of texts is of the type of its first text, and what may be null of what else it may be. */
const typeOf = ({ type, anyOf, enum: [example] = [] }: Property): string | undefined =>
  type ?? anyOf?.[0]?.type ?? (example === undefined ? undefined : typeof example)

/** As a client has to read them. Source: the protocol, "ToolAnnotations": what is left out. */
function annotationsOf ({ annotations = {} }: Partial<Tool> = {}): ToolAnnotations {
  const { readOnlyHint = false, idempotentHint = false, openWorldHint = true } = annotations
  return { readOnlyHint, destructiveHint: annotations.destructiveHint ?? !readOnlyHint, idempotentHint, openWorldHint }
}

/** What a table promises is offered with its arguments and annotations, and nothing else is. */
export async function areOffered (t: Test, { client, kernel }: Fleet, rows: readonly ToolRow[]): Promise<void> {
  const { tools } = await client.listTools()
  const known = new Set([...TOOLS.map(({ name }) => name), ...TOOLS_TRIED_ELSEWHERE])
  for (const { name } of kernel.contributed('tools')) t.ok(known.has(name), name)
  for (const row of rows) {
    const { name, kind, title, params, again = true, outside = kind === 'write' || kind === 'destructive' } = row
    const tool = tools.find(tool => tool.name === name)
    t.ok(tool, name)
    const served = kernel.services.mcp.serverContext.tools.get(name)
    t.equal(served?.idempotent, again, name)
    t.equal(tool?.title, title, name)
    t.match(annotationsOf(tool), {
      readOnlyHint: kind === 'read',
      destructiveHint: kind === 'destructive',
      openWorldHint: outside,
      ...(kind !== 'read' && { idempotentHint: again })
    }, name)
    const { type, properties = {}, required = [] } = tool?.inputSchema ?? { type: 'object' }
    const names = [...(takesName(row) ? ['name'] : []), ...params.map(({ name }) => name)]
    t.equal(type, 'object')
    t.same(Object.keys(properties), [...names, ...(asks(row) ? ['user_permission'] : [])], name)
    t.same(required, names.filter(name => params.find(param => param.name === name)?.required !== false), name)
    for (const param of params) {
      const property = properties[param.name] as Property
      const { default: preset = param.default } = property
      const wanted = [SCHEMA_TYPES[param.type] ?? typeOf(property), param.default]
      t.same([typeOf(property), preset], wanted, `${name}.${param.name}`)
    }
    const { good, bad = [] } = casesOf(row)
    t.ok(good.length + bad.length > 0, `${name} is tried`)
  }
}

/** A card that holds too much to be repeated is told of by a note. */
const asFarAsTold = (answer: object, value: { readonly contents?: unknown }): object =>
  value.contents === null ? { ...answer, contents: null, note: /list_sdcard_files shows it/ } : answer

/** One case on one printer: its result, and what became of printer, card and host. */
async function tryCase (t: Test, fleet: Fleet, row: ToolRow, trial: ToolCase, printer: string): Promise<void> {
  const { unasked = false } = casesOf(row)
  const { args, known, answer, host = {} } = trial
  const wanted = wireOf(trial, fleet.model(printer))
  const title = `${row.name} ${JSON.stringify(args)} on ${printer}`
  const folder = join(fleet.folder, printer)
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(host.has ?? {})) await writeFile(join(folder, name), content)
  if (trial.has) await fleet.furnish(printer, trial.has)
  const card = await fleet.cards([printer])
  const heard = await fleet.heard([printer], async () => {
    const before = fleet.of(printer).requests.length
    const given = { ...args, ...trial.own?.(fleet.of(printer), folder) }
    const ask = () => fleet.tool(row.name, complete(row, given, printer))
    const reply = await (trial.lives === true ? fleet.living(ask) : ask())
    t.same(wrongResult(row, reply, { ...args, ...known, name: printer }), [], title)
    if (answer) t.match(unpacked(reply.value), asFarAsTold(answer, reply.value), title)
    if (unasked) await eventually(() => fleet.of(printer).requests.length >= before + wanted.length)
  })
  const wire = heard.get(printer) ?? []
  t.same(commandsOf(wire), commandsOf(wanted), `${title}: what the printer heard`)
  if (refreshesIn(wanted) > 0) t.ok(refreshesIn(wire) >= refreshesIn(wanted), `${title}: it was asked for everything`)
  t.same(await fleet.cards([printer]), { [printer]: changed(card[printer] ?? {}, trial.after ?? {}) }, `${title}: the card`)
  for (const [name, content] of Object.entries(host.after ?? {})) {
    t.equal(await readFile(join(folder, name), 'utf8').catch(String), content, `${title}: ${name} on the host`)
  }
}

/** Every tool does what it says, on every family. */
export async function toolsWork (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows) {
    for (const trial of casesOf(row).good) {
      const printers = fleet.names.filter(name => trial.models?.includes(fleet.model(name)) ?? true)
      const some = takesPrinter(row) ? printers : printers.slice(0, 1)
      await fleet.become(trial.while ?? 'idle', some)
      await Promise.all(some.map(printer => tryCase(t, fleet, row, trial, printer)))
    }
  }
  await fleet.become('idle', fleet.names)
}
