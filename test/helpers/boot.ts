import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { InjectOptions } from 'fastify'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createKernel, type Edges, type Kernel, type Preset, type PrinterEntry } from '../../core/index.js'
import {
  createVirtualPrinter, type ModelName, type VirtualPrinter, type VirtualPrinterOptions
} from '../../plugins/emulator/index.js'
import { createServer } from '../../plugins/mcp/server.js'
import daemon from '../../presets/daemon/index.js'
import { eventually } from './eventually.js'

type Fields = Record<string, unknown>

export interface BootOptions {
  /** Virtual printers to start and configure, named by their model in lower case unless given. */
  readonly models?: readonly (ModelName | VirtualPrinterOptions)[]
  readonly preset?: Preset
  /** Added to the configuration. */
  readonly config?: Fields
  readonly edges?: Partial<Edges>
  /** Listen on a port instead of answering only injected requests. @default false */
  readonly listen?: boolean
  /** Wait until every printer's first report has come. @default true */
  readonly wait?: boolean
}

export interface Booted {
  readonly kernel: Kernel
  readonly printers: readonly VirtualPrinter[]
  /** The first printer and the name of its session. */
  readonly printer: VirtualPrinter
  readonly name: string
  /** Calls a route; `params` go into the query of a GET or DELETE and into a JSON body otherwise. */
  http (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, params?: Fields): Promise<HttpAnswer>
  /** Calls a tool through the official client. */
  tool (name: string, args?: Fields): Promise<ToolAnswer>
  readonly client: Client
}

export interface HttpAnswer {
  readonly status: number
  readonly body: Fields & { [key: string]: any }
  readonly text: string
}
export interface ToolAnswer {
  readonly result: CallToolResult
  /** Text of the first content block. */
  readonly text: string
  /** The structured content; of a text tool `{ result }`. */
  readonly value: { [key: string]: any }
  readonly failed: boolean
}

const entryOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter): PrinterEntry => ({
  name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint }
})

const nameOf = (model: ModelName) => model.toLowerCase().replace('_', '-')

/** Starts virtual printers and a kernel over them, and ends both with the test. */
export async function boot (t: Test, options: BootOptions = {}): Promise<Booted> {
  const { models = ['X1C'], preset = daemon, config = {}, listen = false, wait = true } = options
  const printers = models.map(model => typeof model === 'string'
    ? createVirtualPrinter({ model, name: nameOf(model) })
    : createVirtualPrinter({ name: nameOf(model.model), ...model }))
  await Promise.all(printers.map(printer => printer.start()))
  const dataDir = config.dataDir as string | undefined ?? t.testdir()
  const kernel = await createKernel(preset, {
    log: { file: false },
    printers: printers.map(entryOf),
    ...config,
    dataDir
  }, { configFile: join(dataDir, 'config.json'), ...options.edges }) // never the configuration of whoever runs the tests
  t.teardown(async () => {
    await kernel.close()
    await Promise.all(printers.map(printer => printer.stop()))
  })
  await kernel.start({ listen })
  if (wait) await eventually(() => printers.every(({ name }) => kernel.printers.get(name)?.live === true), 10_000)
  const client = await connectClient(t, kernel)
  return {
    kernel,
    printers,
    get printer () { return first(printers) },
    get name () { return first(printers).name },
    http: (method, path, params) => call(kernel, method, path, params),
    tool: (name, args = {}) => callTool(client, name, args),
    client
  }
}

function first (printers: readonly VirtualPrinter[]): VirtualPrinter {
  const [printer] = printers
  if (!printer) throw new Error('this test has no printer')
  return printer
}

async function call (kernel: Kernel, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, params?: Fields): Promise<HttpAnswer> {
  const inQuery = method === 'GET' || method === 'DELETE'
  const request: InjectOptions = {
    method,
    url: path,
    ...(params && (inQuery ? { query: params as Record<string, string> } : { payload: params }))
  }
  const { statusCode, body } = await kernel.app.inject(request)
  return { status: statusCode, text: body, body: parsed(body) }
}

function parsed (text: string): Fields {
  try {
    return JSON.parse(text) as Fields
  } catch {
    return {}
  }
}

async function connectClient (t: Test, kernel: Kernel): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  if (!('mcp' in kernel.services)) return client
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createServer(kernel.services.mcp.offer).connect(far)
  await client.connect(near)
  t.teardown(() => client.close())
  return client
}

async function callTool (client: Client, name: string, args: Fields): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args }) as CallToolResult
  const [content] = result.content
  return {
    result,
    text: content?.type === 'text' ? content.text : '',
    value: result.structuredContent ?? {},
    failed: result.isError === true
  }
}
