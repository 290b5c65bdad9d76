import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { InjectOptions } from 'fastify'
import type { Kernel } from '../../core/index.js'
import type { VirtualPrinter } from '../../plugins/emulator/index.js'
import { args, createDice, odd, type Dice, type Schema } from './values.js'

export interface FuzzOptions {
  readonly kernel: Kernel
  /** Each is called by itself, all at the same time; the default printer should be none of them. */
  readonly printers: readonly VirtualPrinter[]
  readonly client: Client
  readonly calls: number
  readonly seed: number
}

/** Something that must not be, and how to do it again. */
export interface Finding {
  readonly what: string
  readonly where: string
  readonly given: string
  readonly answer: string
}

export interface Findings {
  readonly calls: number
  /** How often each status came; tools count as `tool` and `tool error`. */
  readonly answers: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** Where the time went, most first, ms. */
  readonly slow: readonly (readonly [where: string, ms: number])[]
}

interface Answer { readonly kind: string, readonly text: string, readonly refused: boolean, readonly broken: boolean }
interface Call { readonly where: string, readonly given: unknown, run (): Promise<Answer> }

interface Parameter { readonly name: string, readonly required?: boolean, readonly schema: Schema }
interface Operation { readonly parameters?: readonly Parameter[], readonly requestBody?: object }
interface Document { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** What our own code says when it did not expect something. */
const UNFORESEEN = new RegExp('\\b(Type|Reference|Range|Syntax|Assertion|Internal)Error\\b|Cannot (read|set|convert) |' +
  'is not (a function|iterable|defined)|\\bundefined\\b|\\[object Object\\]')
/** Longer than any answer should keep a program waiting. */
const WITHIN_MS = 30_000
/** They take away what the others are tried on, or listen to the network for as long as they are told. */
const LEFT_ALONE = new Set(['remove_printer', 'update_printer_credentials', 'discover_printers', 'add_printer'])
/** Calls. */
const REVIVE_EVERY = 5
const LIVE_WITHIN_MS = 5_000
/** What the interface says when a printer has told nothing yet. */
const NO_DATA = '"error":"no_data"'

const schemaOf = ({ parameters = [], requestBody }: Operation): Schema => {
  const body = (requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content?.['application/json']?.schema
  const query = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter(({ required }) => required === true).map(({ name }) => name)
  return { type: 'object', properties: { ...query, ...body?.properties }, required }
}

const textOf = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value) ?? ''
const formOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields).map(([name, value]) => `${escaped(name)}=${escaped(textOf(value))}`).join('&')
/** Half a character cannot be encoded. */
const escaped = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const BODIES = ['', '{', '[]', '1', '"x"', 'null', '{"a":1}{', '{"__proto__":{"x":1}}', DEEP] as const
const TYPES = ['application/json', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x',
  'application/json; charset=utf-16', ''] as const

function request (method: string, url: string, fields: Readonly<Record<string, unknown>>, dice: Dice): InjectOptions {
  const base = { method: method.toUpperCase() as 'GET', url }
  const inQuery = { ...base, url: `${url}?${formOf(fields)}` }
  if (method === 'get' || method === 'delete') return inQuery
  const way = dice.next()
  if (way < 0.45) return { ...base, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(fields) }
  if (way < 0.65) return { ...base, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: formOf(fields) }
  if (way < 0.85) return inQuery
  return { ...inQuery, headers: { 'content-type': dice.oneOf(TYPES) }, payload: dice.oneOf(BODIES) }
}

/** The name that it is configured by, more often than not. */
const aimed = (fields: Record<string, unknown>, key: 'printer' | 'name', name: string, dice: Dice): Record<string, unknown> =>
  ({ ...fields, [key]: dice.next() < 0.9 ? name : odd(dice) })

type Maker = (name: string, dice: Dice) => Call

/** Its answer ends only when its client goes away. */
const STREAM = '/api/live'

async function routesOf ({ app }: Kernel): Promise<Maker[]> {
  const { paths } = (await app.inject('/api/openapi.json')).json() as Document
  const answered = Object.entries(paths).filter(([path]) => path !== STREAM)
  const operations = answered.flatMap(([path, methods]) => Object.entries(methods)
    .map(([method, operation]) => ({ path, method, schema: schemaOf(operation) })))
  return operations.map(({ path, method, schema }) => (name, dice) => {
    const made = args(schema, dice)
    const isOfPrinter = 'printer' in (schema.properties ?? {})
    const given = request(method, path, isOfPrinter ? aimed(made, 'printer', name, dice) : made, dice)
    return { where: `${method.toUpperCase()} ${path}`, given, run: () => callRoute(app, given) }
  })
}

/** Answers that say that nothing was done; 409 may be the printer's own refusal. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 413, 415, 429])

async function callRoute (app: Kernel['app'], given: InjectOptions): Promise<Answer> {
  const { statusCode: status, body: text } = await app.inject(given)
  const isUnforeseen = (status === 500 && !text.includes(NO_DATA)) || (status > 400 && UNFORESEEN.test(text))
  return { kind: String(status), text, refused: REFUSALS.has(status), broken: isUnforeseen }
}

async function toolsOf (client: Client): Promise<Maker[]> {
  const { tools } = await client.listTools()
  return tools.filter(({ name }) => !LEFT_ALONE.has(name)).map(({ name: tool, inputSchema }) => (name, dice) => {
    const made = args(inputSchema as Schema, dice)
    const permitted = dice.next() < 0.7 ? { ...made, user_permission: true } : made
    const given = 'name' in (inputSchema.properties ?? {}) ? aimed(permitted, 'name', name, dice) : permitted
    return { where: tool, given, run: () => callTool(client, tool, given) }
  })
}

const REFUSED = /user_permission must be True|not connected|must be|is required|unexpected/i

async function callTool (client: Client, name: string, given: Record<string, unknown>): Promise<Answer> {
  try {
    const { content, isError = false } = await client.callTool({ name, arguments: given }) as CallToolResult
    const [block] = content
    const text = block?.type === 'text' ? block.text : ''
    const failed = isError || text.startsWith('Error')
    return {
      kind: failed ? 'tool error' : 'tool',
      text,
      refused: failed && REFUSED.test(text),
      broken: failed && UNFORESEEN.test(text)
    }
  } catch (error) {
    const { code, message } = error as { code?: number, message: string }
    return { kind: `rpc ${code}`, text: message, refused: true, broken: code !== -32_602 || UNFORESEEN.test(message) }
  }
}

/** What sessions ask by themselves at any time. */
const OWN = new Set(['pushing.pushall', 'info.get_version', 'print.extrusion_cali_get'])
const heard = ({ requests }: VirtualPrinter): number =>
  requests.filter(({ section, command }) => !OWN.has(`${section}.${command}`)).length

/** Some calls end or pause a session: the others are to be tried on a live one. */
async function revive ({ printers }: Kernel, name: string): Promise<void> {
  if (printers.get(name)?.live === true) return
  const session = await printers.connect(name).catch(() => undefined)
  const deadline = Date.now() + LIVE_WITHIN_MS
  while (session?.live === false && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 10))
}

/** A first user or a key that a call happened to make would keep all later calls out. */
async function unlock ({ services: { http, people: { store } } }: Kernel): Promise<void> {
  if (!http.access.locked) return
  const { users, keys } = await store.read()
  for (const { name } of users) await store.removeUser(name, true).catch(() => undefined) // by another lane, or a call
  for (const { name } of keys) await store.revokeKey(name).catch(() => undefined)
}

const late = Symbol('late')
const within = <T>(work: Promise<T>): Promise<T | typeof late> => {
  let timer: NodeJS.Timeout | undefined
  return Promise.race([work, new Promise<typeof late>(resolve => { timer = setTimeout(resolve, WITHIN_MS, late) })])
    .finally(() => clearTimeout(timer))
}

/** Calls routes and tools in turn with good and bad values, and collects what must not be. */
export async function fuzz ({ kernel, printers, client, calls, seed }: FuzzOptions): Promise<Findings> {
  const makers = [...await routesOf(kernel), ...await toolsOf(client)]
  const answers: Record<string, number> = {}
  const spent: Record<string, number> = {}
  const findings: Finding[] = []
  let at = 0

  async function one (call: Call, printer: VirtualPrinter): Promise<void> {
    const before = heard(printer)
    const since = Date.now()
    const answer = await within(call.run())
    spent[call.where] = (spent[call.where] ?? 0) + Date.now() - since
    const note = (what: string, text: string) => findings.push(
      { what, where: call.where, given: JSON.stringify(call.given).slice(0, 400), answer: text.slice(0, 300) })
    if (answer === late) {
      note('no answer', '')
      return
    }
    const { kind, text, broken, refused } = answer
    answers[kind] = (answers[kind] ?? 0) + 1
    if (broken) note('broken', `${kind} ${text}`)
    if (refused && heard(printer) !== before) note('refused and sent all the same', `${kind} ${text}`)
  }

  await Promise.all(printers.map(async (printer, lane) => {
    const { name } = printer // it may be renamed; what it is configured by stays
    const dice = createDice(seed + lane)
    for (let turn = 0; at < calls; turn++) {
      if (turn % REVIVE_EVERY === 0) await revive(kernel, name)
      await unlock(kernel)
      const maker = makers[at++ % makers.length]
      if (maker) await one(maker(name, dice), printer)
    }
  }))
  const added = Object.keys(Object.prototype)
  if (added.length > 0) findings.push({ what: 'prototype changed', where: '', given: '', answer: added.join() })
  return { calls: at, answers, findings, slow: Object.entries(spent).sort(([, a], [, b]) => b - a).slice(0, 12) }
}
