import {
  Client, StreamableHTTPClientTransport, type ClientCapabilities, type ClientOptions
} from '@modelcontextprotocol/client'
import type { Test } from 'tap'

export const STATELESS = '2026-07-28'

/** A request of its own, with everything that revision 2026-07-28 wants of it. */
export function statelessRequest (method: string, params: Record<string, unknown> = {}, id: number | string = 1) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  const { name, uri } = params
  const named = name ?? uri
  return {
    headers: {
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named })
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...meta, ...params._meta as object } } }
  }
}

export interface StatelessOptions extends ClientOptions {
  readonly headers?: Record<string, string>
  readonly capabilities?: ClientCapabilities
}

/** The official client, which speaks nothing but revision 2026-07-28. */
export async function connectStateless (t: Test, url: string, { headers = {}, ...options }: StatelessOptions = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: STATELESS } }, ...options })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  t.teardown(() => client.close())
  return client
}
