import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { boot } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { HTTP_CASES } from './http.cases.data.js'
import type { HttpRow } from './http.data.js'
import { idOf, named, ROWS as ROUTES, wayOf } from './http.walk.js'
import { quietDaemon } from './preset.js'
import { requestOf } from './request.js'
import type { Part } from './rows.js'
import { TOOL_CASES } from './tools.cases.data.js'
import type { ToolRow } from './tools.data.js'
import { complete, ROWS as TOOLS } from './tools.walk.js'
import { testFolder } from '../helpers/folder.js'
import { make3mf } from '../plugins/projects/make-3mf.js'

interface Secrets { readonly accessCode: string, readonly token: string }

/** Secrets that a careless mask misses: with characters that patterns, JSON and addresses treat in their own ways. */
const SECRETS: readonly Secrets[] = [
  { accessCode: '24681357', token: 'plain-token-of-letters' },
  { accessCode: '$&.*(a|b)+?^ qu"ote\\back/slash', token: 'to.ken[0-9]{2}$1 tab\tand "quote" \\ ü%&=' }
]

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** A secret as it may stand in plain text, in JSON, in JSON that is a text in JSON, and in an address. */
const formsOf = (secret: string): string[] =>
  [...new Set([secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret)])]

/** Boots a service, and notes whatever leaves it. */
async function listen (t: Test, { accessCode, token }: Secrets) {
  const said: { readonly where: string, readonly text: string }[] = []
  const hear = (where: string, what: unknown) => {
    said.push({ where, text: typeof what === 'string' ? what : JSON.stringify(what) })
  }
  const log = join(testFolder(t), 'prnd.log')
  const echo = { write: (line: string) => hear('the echo of the log', line) }
  const booted = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', accessCode, camera: { width: 320, height: 180 } }],
    preset: quietDaemon(testFolder(t)),
    config: { api: { token }, log: { file: log } },
    dependencies: { logEcho: echo as unknown as NodeJS.WritableStream }
  })
  const authorization = `Bearer ${token}`
  return {
    ...booted,
    printer: booted.printer,
    name: booted.name,
    said,
    hear,
    log: () => readFile(log, 'utf8'),
    async ask (where: string, request: InjectOptions) {
      const { headers, body } = await booted.kernel.app.inject(
        { ...request, headers: { ...request.headers, authorization } })
      hear(where, JSON.stringify(headers) + body)
    },
    async use (name: string, args: Readonly<Record<string, unknown>>) {
      hear(name, (await booted.tool(name, args)).result)
    }
  }
}
type Listening = Awaited<ReturnType<typeof listen>>

/** Cards and cameras are slow; asked once, with the plain secrets, they have been asked. */
const isQuick = ({ since }: { readonly since: Part }) => since !== 'files' && since !== 'camera' && since !== 'health'

async function everyRoute ({ ask, name }: Listening, among: (row: HttpRow) => boolean): Promise<void> {
  for (const row of ROUTES.filter(among)) {
    const { good = [], bad = [] } = HTTP_CASES[idOf(row)] ?? {}
    for (const trial of [...good.slice(0, 1), ...bad.slice(0, 1)]) {
      await ask(idOf(row), requestOf(row, wayOf(row, trial), named(row, trial.params, name)))
    }
  }
}

/** They end the session. */
const ENDS = /^(disconnect|remove|start|add)_printer$|^update_printer_credentials$/

async function everyTool ({ use, hear, client, name }: Listening, among: (row: ToolRow) => boolean): Promise<void> {
  for (const row of TOOLS.filter(among)) {
    await use(row.name, complete(row, TOOL_CASES[row.name]?.good[0]?.args ?? {}, name))
  }
  for (const { uri } of (await client.listResources()).resources) hear(uri, await client.readResource({ uri }))
}

const raw = (command: object): InjectOptions =>
  ({ method: 'POST', url: '/api/send_mqtt_command', payload: { command_json: command } })

/** What callers say who know a secret comes back to them, and into the log, without it. */
async function sayAll ({ ask, use, name }: Listening, secret: string): Promise<void> {
  const command = { print: { command: 'x', note: secret } }
  await ask('a printer of that name', { url: '/api/session_status', query: { printer: secret } })
  await ask('a bad value', { method: 'PATCH', url: '/api/set_bed_target_temp', payload: { temp: secret } })
  await ask('a preference', { url: '/api/user_prefs', query: { printer: secret, key: secret } })
  await ask('no JSON for MCP', { method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json' }, payload: secret })
  await ask('an address', { url: `/api/${encodeURIComponent(secret)}` })
  await ask('a raw command', raw(command))
  await use('set_print_speed', { name, speed_level: secret, user_permission: true })
  await use('send_mqtt_command', { name, command_json: JSON.stringify(command), user_permission: true })
}

/** A print that is named after it is recorded, noted, searched and deleted. */
async function recordPrint ({ ask, use, printer, kernel, token }: Listening & { token: string }, secret: string) {
  const headers = { authorization: `Bearer ${token}` }
  const running = async (): Promise<string | undefined> =>
    (await kernel.app.inject({ url: '/api/history?result=running', headers })).json().prints[0]?.id
  printer.startJob({ name: secret, minutes: 600 })
  await eventually(async () => await running() !== undefined, 60_000)
  const id = await running()
  const own = `/api/history/${id}`
  await ask('a note', { method: 'PATCH', url: own, payload: { note: secret, tags: [secret] } })
  for (const url of ['/api/history', own, `${own}/thumbnail`, '/api/history/statistics']) await ask(url, { url })
  await ask('a search', { url: '/api/history', query: { text: secret, material: secret, printer_name: secret } })
  await ask('no such print', { url: `/api/history/${encodeURIComponent(secret)}` })
  await ask('a print that runs', { method: 'DELETE', url: own })
  await use('list_prints', { text: secret })
  await use('get_print', { id })
  await use('print_statistics', { text: secret })
  await use('annotate_print', { id, note: secret, user_permission: true })
  await use('delete_print', { id: secret, user_permission: true })
  await ask('stop', { method: 'POST', url: '/api/stop_printing' })
  await eventually(async () => await running() === undefined, 60_000)
}

/** A sliced file and a job that are named after it. */
async function queueJob ({ ask, use, kernel, token, name }: Listening & { token: string }, secret: string) {
  const upload = {
    method: 'POST' as const,
    url: '/api/queue/files',
    query: { filename: `${secret}.gcode.3mf` },
    headers: { 'content-type': 'application/octet-stream' },
    payload: make3mf([{ number: 1, metadata: { printer_model_id: 'BL-P001' } }])
  }
  await ask('a file', upload)
  await ask('a broken file', { ...upload, payload: Buffer.from(secret) })
  const headers = { authorization: `Bearer ${token}` }
  const [file] = (await kernel.app.inject({ url: '/api/queue/files', headers })).json().files
  const wish = { file: file.id, job_name: secret, note: secret }
  await ask('a job', { method: 'POST', url: '/api/queue', payload: wish })
  const [job] = (await kernel.app.inject({ url: '/api/queue', headers })).json().jobs
  for (const url of ['/api/queue', `/api/queue/jobs/${job?.id}`, '/api/queue/files']) await ask(url, { url })
  await ask('a change', { method: 'PATCH', url: `/api/queue/jobs/${job?.id}`, payload: { note: secret } })
  await ask('no such job', { url: `/api/queue/jobs/${encodeURIComponent(secret)}` })
  await ask('no such printer', { method: 'POST', url: '/api/queue', payload: { ...wish, printers: [secret] } })
  await ask('no such plate', { method: 'POST', url: '/api/queue/plate_clear', payload: { printer: secret } })
  await use('list_queue', {})
  await use('explain_waiting', { id: job?.id })
  await use('cancel_job', { id: job?.id, user_permission: true })
  await use('queue_job', { file: secret, card: name, user_permission: true })
}

/** The printer tells it itself, when asked and unasked. */
async function askPrinter ({ ask, printer, log }: Listening, accessCode: string): Promise<void> {
  await ask('asking for it', raw({ system: { command: 'get_access_code', sequence_id: '1' } }))
  await eventually(() => printer.requests.some(({ command }) => command === 'get_access_code'))
  printer.publish(JSON.stringify({ system: { command: 'get_access_code', access_code: accessCode, code: accessCode } }))
  await eventually(async () => (await log()).match(/received.*get_access_code|get_access_code.*received/))
}

for (const secrets of SECRETS) {
  t.test(`nothing tells ${secrets.accessCode} or ${secrets.token}`, { timeout: 240_000 }, async t => {
    const service = await listen(t, secrets)
    const { ask, use, hear, said, log } = service
    await ask('loud', { method: 'POST', url: '/api/set_log_level?level=DEBUG&bpm_level=DEBUG' })
    await ask('verbose', { method: 'POST', url: '/api/set_bpm_verbose?verbose=true' })
    const asked = (row: { readonly since: Part }) => secrets === SECRETS[0] || isQuick(row)
    await everyRoute(service, asked)
    await ask('loud again', { method: 'POST', url: '/api/set_log_level?level=DEBUG&bpm_level=DEBUG' })
    await ask('verbose again', { method: 'POST', url: '/api/set_bpm_verbose?verbose=true' })
    await everyTool(service, row => asked(row) && !ENDS.test(row.name))
    await askPrinter(service, secrets.accessCode)
    for (const secret of Object.values(secrets)) {
      await recordPrint({ ...service, token: secrets.token }, secret)
      await queueJob({ ...service, token: secrets.token }, secret)
    }
    await everyTool(service, row => ENDS.test(row.name))
    for (const secret of Object.values(secrets)) await sayAll(service, secret)
    await ask('the log', { url: '/api/dump_log' })
    await use('dump_log', { tail_lines: 0 })
    hear('the log file', await log())

    t.match(said.at(-1)?.text, /"received"/, 'raw payloads were logged')
    for (const form of Object.values(secrets).flatMap(formsOf)) {
      const found = said.filter(({ text }) => text.includes(form)).map(({ where }) => where)
      t.same([...new Set(found)], [], `${form} appears nowhere`)
    }
  })
}
