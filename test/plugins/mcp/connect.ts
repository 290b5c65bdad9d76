import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Test } from 'tap'
import { boot, type BootOptions, type Booted } from '../../helpers/boot-features.js'
import { freePort } from '../../helpers/ports.js'

export interface Listening extends Booted {
  readonly url: string
  /** An official client over HTTP. */
  connect (options?: ConnectOptions): Promise<Connected>
  /** One request as it is; headers that the protocol wants are added unless given. */
  raw (method: string, options?: RawOptions): Promise<Response>
  /** Begins a session without the official client. @returns its id */
  begin (headers?: Record<string, string>): Promise<string>
}

export interface ConnectOptions {
  readonly token?: string
  readonly capabilities?: object
}
export interface Connected { readonly client: Client, readonly transport: StreamableHTTPClientTransport }

export interface RawOptions {
  readonly session?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export const LATEST = '2025-11-25'

export const initialize = (protocolVersion = LATEST, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
})

/** A service that listens on a port of its own. */
export async function listening (t: Test, options: BootOptions = {}): Promise<Listening> {
  const { config: { api, ...config } = {}, ...rest } = options
  const booted = await boot(t, {
    ...rest,
    listen: true,
    config: { ...config, api: { host: '127.0.0.1', ...api as object }, ports: { preferred: await freePort() } }
  })
  const url = `http://127.0.0.1:${booted.kernel.apiPort}/mcp`

  const raw: Listening['raw'] = (method, { session, headers, body, signal } = {}) => fetch(url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': LATEST }),
      ...headers
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal })
  })

  return Object.assign(booted, { // a copy would ask for the printer, which there may not be
    url,
    raw,
    async begin (headers: Record<string, string> = {}) {
      const reply = await raw('POST', { body: initialize(), headers })
      await reply.text()
      return reply.headers.get('mcp-session-id') ?? ''
    },
    connect: (options?: ConnectOptions) => connectTo(t, url, options)
  })
}

export async function connectTo (t: Test, url: string, options: ConnectOptions = {}): Promise<Connected> {
  const { token, capabilities = {} } = options
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  })
  await client.connect(transport as Transport)
  t.teardown(() => client.close())
  return { client, transport }
}

/** The messages of an event stream that has ended. */
export const messagesOf = (text: string): any[] => text.split('\n')
  .filter(line => line.startsWith('data: ') && line.length > 6).map(line => JSON.parse(line.slice(6)))

/** The first message of a reply, whether it came as JSON or as a stream. */
export async function answerOf (reply: Response): Promise<any> {
  const text = await reply.text()
  return reply.headers.get('content-type')?.startsWith('text/event-stream') ? messagesOf(text)[0] : JSON.parse(text)
}
