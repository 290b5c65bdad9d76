// Programs that read, write and look, in a process of their own. Arguments: address, how many printers have a camera.
// Messages: `hasty`, `away`, `back`, `count`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDice, type Dice } from '../values.js'
import { createBook } from './figures.js'

const HTTP_CLIENTS = 50
const WRITERS_OF_PREFERENCES = 5
const MCP_SESSIONS = 20
const ANSWER_MS = 30_000
const STALE_MS = 45_000
const AGAIN_MS = 500

const [url = '', cameras = '0'] = process.argv.slice(2)
const book = createBook()
const { printers } = await (await fetch(`${url}/api/printers`)).json() as { printers: { name: string }[] }
const names = printers.map(({ name }) => name)

/** How often the service came back: it need not know sessions from before. */
let returns = 0

/** Preferences are written so fast that a kill comes while one is written. */
let hasty = false

const NO_DATA = '"no_data"'
/** One request; what must never be is written down. */
async function request (kind: string, path: string, options: RequestInit = {}): Promise<number> {
  try {
    const reply = await fetch(url + path, { ...options, signal: AbortSignal.timeout(ANSWER_MS) })
    const text = await reply.text()
    book.answer(kind, reply.status)
    if (reply.status === 500 && !text.includes(NO_DATA)) book.bad(`${path}: 500 ${text.slice(0, 200)}`)
    return reply.status
  } catch (error) {
    book.answer(kind, book.away ? 'away' : 'failed')
    book.bad(`${path}: ${String((error as Error).cause ?? error)}`)
    return 0
  }
}

const READS = ['printer', 'session_status', 'health_check', 'monitoring_data', 'monitoring_series?field=bed', 'stream_url',
  'charts_panels', 'get_detector_settings', 'openapi.json', 'server_info'] as const
const WRITES = [['set_bed_target_temp', { temp: 60 }], ['set_fan_speed_target', { percent: 40 }],
  ['set_light_state', { state: 'on' }], ['set_speed_level', { level: 'standard' }]] as const

const bodyOf = (fields: object): RequestInit =>
  ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) })

async function useHttp (dice: Dice): Promise<never> {
  for (;;) {
    const printer = dice.oneOf(names)
    if (dice.next() < 0.1) {
      const [path, fields] = dice.oneOf(WRITES)
      await request('write', `/api/${path}`, { method: 'PATCH', ...bodyOf({ ...fields, printer }) })
    } else if (dice.next() < 0.1) {
      await request('read', '/api/printers')
    } else {
      const path = dice.oneOf(READS)
      await request('read', `/api/${path}${path.includes('?') ? '&' : '?'}printer=${printer}`)
    }
    await sleep(1_000 + dice.below(2_000))
  }
}

async function storePreferences (at: number): Promise<never> {
  const key = `chaos-${at}`
  const kept = book.preferences[key] = { stored: 0, sent: 0 }
  let lost = false
  for (;;) {
    if (!(lost && book.away)) { // what was lost is looked for before anything more is sent
      const value = ++kept.sent
      const fields = { printer: names[at], key, value }
      const status = await request('preference', '/api/user_prefs', { method: 'POST', ...bodyOf(fields) })
      lost = status !== 200
      if (!lost) kept.stored = value
    }
    await sleep(hasty ? 100 + at * 20 : 1_000)
  }
}

const TOOLS = ['get_printer_state', 'get_print_progress', 'get_temperatures', 'get_hms_errors', 'get_ams_units'] as const

async function talk (client: Client, dice: Dice): Promise<never> {
  for (;;) {
    const name = dice.oneOf(names)
    const isWrite = dice.next() < 0.1
    const reply = await client.callTool(isWrite
      ? { name: 'set_bed_temp', arguments: { name, temp: 55, user_permission: true } }
      : { name: dice.oneOf(TOOLS), arguments: { name } }, undefined, { timeout: ANSWER_MS })
    book.answer('mcp', reply.isError === true ? 'error' : 'ok')
    await sleep(1_000 + dice.below(3_000))
  }
}

const isUnknownSession = (error: unknown) => error instanceof StreamableHTTPError && error.code === 404

async function useMcp (dice: Dice): Promise<never> {
  for (;;) {
    const since = returns
    const client = new Client({ name: 'chaos', version: '1.0.0' })
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
      book.answer('mcp', 'session')
      await talk(client, dice)
    } catch (error) {
      const isOfBefore = since !== returns && isUnknownSession(error)
      book.answer('mcp', book.away ? 'away' : isOfBefore ? 'of before' : 'failed')
      if (!isOfBefore) book.bad(`mcp: ${String(error)} ${String((error as Error).cause ?? '')}`)
    }
    await client.close().catch(() => {})
    await sleep(AGAIN_MS)
  }
}

async function look (at: number): Promise<never> {
  for (;;) {
    const abort = new AbortController()
    let timer = setTimeout(() => abort.abort(), STALE_MS)
    try {
      const started = await fetch(`${url}/api/start_stream`, { method: 'POST', ...bodyOf({ printer: names[at] }) })
      const { port } = await started.json() as { port?: number }
      book.answer('stream', started.status)
      if (port === undefined) throw new Error('no stream')
      const reply = await fetch(`http://127.0.0.1:${port}/stream`, { signal: abort.signal })
      for await (const piece of reply.body ?? []) {
        book.bytes(at, (piece as Uint8Array).length)
        clearTimeout(timer)
        timer = setTimeout(() => abort.abort(), STALE_MS)
      }
    } catch {
      book.answer('stream', book.away ? 'away' : 'ended')
    }
    clearTimeout(timer)
    await sleep(AGAIN_MS)
  }
}

process.on('message', (order: string) => {
  if (order === 'hasty') hasty = true
  if (order === 'away') book.away = true
  if (order === 'back') {
    book.away = hasty = false
    returns++
  }
  process.send?.(book.take())
})
process.on('disconnect', () => process.exit())

for (let at = 0; at < HTTP_CLIENTS - WRITERS_OF_PREFERENCES; at++) void useHttp(createDice(at))
for (let at = 0; at < WRITERS_OF_PREFERENCES; at++) void storePreferences(at)
for (let at = 0; at < MCP_SESSIONS; at++) void useMcp(createDice(1_000 + at))
for (let at = 0; at < Number(cameras); at++) void look(at)
process.send?.({ ready: true })
