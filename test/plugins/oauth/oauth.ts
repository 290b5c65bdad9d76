import { createHash, randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import type { Kernel, Role } from '../../../core/index.js'
import { hashPassword } from '../../../plugins/people/passwords.js'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'

export const HOST = 'localhost:49152'
export const ADDRESS = `http://${HOST}`
export const RESOURCE = `${ADDRESS}/mcp`
export const REDIRECT = 'https://agent.example/callback'

type Fields = Readonly<Record<string, unknown>>
export interface Answer {
  readonly status: number
  readonly body: any
  readonly headers: Record<string, any>
  readonly text: string
}

export interface AskOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly query?: Fields
  readonly form?: Fields
  readonly json?: object
  readonly headers?: Record<string, string>
  readonly from?: string
}

/** One request to the service at `HOST`, unless a header says otherwise. */
export async function ask ({ app }: Kernel, path: string, options: AskOptions = {}): Promise<Answer> {
  const { query = {}, form, json, headers = {}, from = '127.0.0.1' } = options
  const text = (fields: Fields) => new URLSearchParams(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))).toString()
  const url = Object.keys(query).length === 0 ? path : `${path}?${text(query)}`
  const payload = form ? text(form) : json
  const { statusCode: status, body, headers: got } = await app.inject({
    method: options.method ?? (payload === undefined ? 'GET' : 'POST'),
    url,
    remoteAddress: from,
    headers: { host: HOST, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
    ...(payload !== undefined && { payload })
  })
  let parsed: unknown
  try { parsed = JSON.parse(body) } catch { parsed = undefined }
  return { status, body: parsed, headers: got, text: body }
}

export const PASSWORD = 'correct horse battery'
let hash: Promise<string> | undefined

/** Adds a user. @returns the cookie of a login */
export async function addUser (kernel: Kernel, name: string, role: Role = 'administrate', printers?: string[]): Promise<string> {
  const { store, find } = kernel.services.people
  await store.addUser(name, role, printers, await (hash ??= hashPassword(PASSWORD)))
  const { value } = await store.begin(find(name).id)
  return `${kernel.services.http.access.people?.cookieName}=${value}`
}

export async function start (t: Test, options: BootOptions = {}): Promise<Booted & { readonly cookie: string }> {
  const booted = await boot(t, { models: [], ...options })
  return Object.assign(booted, { cookie: await addUser(booted.kernel, 'alice') })
}

export const verifierOf = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** @returns the id of a program */
export async function register (kernel: Kernel, more: Fields = {}): Promise<string> {
  const { body } = await ask(kernel, '/register', { json: { client_name: 'Agent', redirect_uris: [REDIRECT], ...more } })
  return body.client_id as string
}

/** A request as a program writes it. */
export const requestOf = (client: string, verifier: string, more: Fields = {}) => ({
  client_id: client,
  redirect_uri: REDIRECT,
  response_type: 'code',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
  state: 'a state',
  resource: RESOURCE,
  ...more
})

/** What the consent page sends. */
export const consent = (
  kernel: Kernel, cookie: string, request: Fields, choice: Fields = {}, headers: Record<string, string> = {}
) => ask(kernel, '/api/oauth/grants', {
  json: { origin: ADDRESS, role: 'operate', lasts: 'week', current: PASSWORD, ...request, ...choice },
  headers: { cookie, origin: ADDRESS, ...headers }
})

export const codeIn = ({ body }: Answer): string => new URL(body.redirect_to as string).searchParams.get('code') ?? ''

export const exchange = (kernel: Kernel, fields: Fields) =>
  ask(kernel, '/token', { form: { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...fields } })

export const refresh = (kernel: Kernel, client: string, token: string) =>
  ask(kernel, '/token', { form: { grant_type: 'refresh_token', client_id: client, refresh_token: token } })

export interface Connected {
  readonly client: string
  readonly access: string
  readonly refresh: string
}

/** The whole way, as a program and a person go it. */
export async function connect (kernel: Kernel, cookie: string, choice: Fields = {}): Promise<Connected> {
  const verifier = verifierOf()
  const client = await register(kernel)
  const code = codeIn(await consent(kernel, cookie, requestOf(client, verifier), choice))
  const { body } = await exchange(kernel, { code, client_id: client, code_verifier: verifier })
  return { client, access: body.access_token, refresh: body.refresh_token }
}

/** A request of an agent. */
export const rpc = (
  kernel: Kernel, token: string, method: string, params: Fields = {}, headers: Record<string, string> = {}
) => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  return ask(kernel, '/mcp', {
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
      ...headers
    }
  })
}

/** Status of a request with a token. */
export const statusOf = async (kernel: Kernel, token: string, headers: Record<string, string> = {}): Promise<number> =>
  (await rpc(kernel, token, 'tools/list', {}, headers)).status
