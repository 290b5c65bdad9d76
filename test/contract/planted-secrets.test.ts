// Secrets that only the printer knows: nobody told them to the service, which masks them all the same.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { VirtualPrinter } from '../../plugins/emulator/index.js'
import { boot, type Booted } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { testFolder } from '../helpers/folder.js'
import { connect, listen } from '../plugins/live/clients.js'
import { connect as connectSocket, listen as listenStandalone, updateOf } from '../plugins/socketio/helpers.js'
import { HTTP_CASES } from './http.cases.data.js'
import { idOf, named, ROWS as ROUTES, wayOf } from './http.walk.js'
import { quietDaemon } from './preset.js'
import { requestOf } from './request.js'
import { isOf, type Part } from './rows.js'
import { TOOL_CASES } from './tools.cases.data.js'
import { complete, ROWS as TOOLS } from './tools.walk.js'

const SECRETS = {
  signature: 'SiGNATUREofCLOUD%2B1',
  token: 'ToKENofCLOUD',
  ttcode: 'TTC0DE"with\\signs',
  authkey: 'AUTHK3YofCAMERA',
  passwd: 'PASSWD0fCAMERA',
  login: 'L0GINofSTREAM'
}
const FORMS = [...Object.values(SECRETS).filter(secret => secret !== SECRETS.ttcode), 'TTC0DE', 'with\\signs', 'with\\\\signs']

const NAME = `a cloud job https://cloud.example.com/a.3mf?Expires=1&Signature=${SECRETS.signature}`
const LINK = `https://s3.example.com/a.3mf?X-Amz-Signature=${SECRETS.signature}&token=${SECRETS.token}`

/** All that a printer with a cloud job says. */
async function plant ({ kernel, printer, name }: Pick<Booted, 'kernel' | 'printer' | 'name'>): Promise<void> {
  const session = kernel.printers.get(name)
  if (session) session.verbose = true
  printer.publish(JSON.stringify({
    print: {
      command: 'project_file', result: 'success', sequence_id: '9', url: LINK, subtask_name: NAME, param: 'Metadata/plate_1.gcode'
    }
  }))
  const { ttcode, authkey, passwd, token, login } = SECRETS
  printer.patch({
    gcode_state: 'RUNNING',
    subtask_name: NAME,
    gcode_file: `bambu:///tutk?uid=1&authkey=${authkey}&passwd=${passwd}`,
    ipcam: { rtsp_url: `rtsps://bblp:${login}@10.0.0.9:322/streaming/live/1`, ttcode, authkey, passwd, token },
    wifi_signal: `-40dBm?token=${token}`
  })
  await eventually(() => session?.state?.job.subtaskName === NAME && session.context.projectFile)
  refuse(printer)
  await session?.perform('to pause', { section: 'print', command: 'pause' }).catch(() => {})
  await eventually(() => session?.state?.errors.faults.some(({ type }) => type === 'command_error'))
}

const refuse = ({ faults }: VirtualPrinter) => faults.refuse('pause', { reason: `cannot fetch ${LINK}` })

/** What tool answers pack away is looked at too. */
const unpacked = (text: string): string => text.replaceAll(/"data\\?":\\?"(H4sI[\w+/=]+)/g, (_, data: string) =>
  gunzipSync(Buffer.from(data, 'base64')).toString())

function notes (t: Test) {
  const said: { readonly where: string, readonly text: string }[] = []
  return {
    hear (where: string, what: unknown) {
      said.push({ where, text: unpacked(typeof what === 'string' ? what : JSON.stringify(what)) })
    },
    /** Something was heard of the job from these, and none told a secret. */
    judge (...outlets: readonly string[]) {
      const heard = new Set(said.filter(({ text }) => /a cloud job|s3\.example\.com|received/.test(text)).map(({ where }) => where))
      t.same(outlets.filter(where => !heard.has(where)), [], 'all of these tell of the job')
      for (const form of FORMS) {
        t.same([...new Set(said.filter(({ text }) => text.includes(form)).map(({ where }) => where))], [], `${form} leaves nowhere`)
      }
    }
  }
}

const isRead = (row: { readonly since: Part }) => isOf('first-light', 'machine', 'printers', 'control')(row)

t.test('the daemon', { timeout: 120_000 }, async t => {
  const { hear, judge } = notes(t)
  const log = join(testFolder(t), 'prnd.log')
  const booted = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200 }],
    preset: quietDaemon(testFolder(t)),
    config: { log: { file: log }, api: { host: '127.0.0.1' } },
    dependencies: { logEcho: { write: (line: string) => hear('the echo of the log', line) } as unknown as NodeJS.WritableStream },
    listen: true
  })
  const { kernel, name, client, tool } = booted
  const port = kernel.apiPort as number
  const stream = await listen(t, port)
  const socket = connect(t, port)
  await kernel.app.inject({ method: 'POST', url: '/api/set_log_level?level=DEBUG&bpm_level=DEBUG' })
  await plant(booted)

  for (const row of ROUTES.filter(row => row.method === 'GET' && isRead(row))) {
    const trial = HTTP_CASES[idOf(row)]?.good[0]
    if (!trial) continue
    const { headers, body } = await kernel.app.inject(requestOf(row, wayOf(row, trial), named(row, trial.params, name)))
    hear(row.path, JSON.stringify(headers) + body)
  }
  for (const row of TOOLS.filter(row => row.kind === 'read' && isRead(row))) {
    hear(row.name, (await tool(row.name, complete(row, TOOL_CASES[row.name]?.good[0]?.args ?? {}, name))).result)
  }
  for (const { uri } of (await client.listResources()).resources) hear(uri, await client.readResource({ uri }))
  hear('/metrics', (await kernel.app.inject('/metrics')).body)
  const tells = (messages: readonly unknown[]) => JSON.stringify(messages).includes('a cloud job')
  await eventually(() => tells(stream.messages) && tells(socket.messages))
  hear('the event stream', stream.messages)
  hear('the WebSocket', socket.messages)
  hear('the log file', await readFile(log, 'utf8'))
  judge('/api/printer', '/api/health_check', '/api/alerts', '/api/dump_log', 'get_job_info', 'get_printer_state', 'get_hms_errors',
    'prnd://printers/x1c', 'the event stream', 'the WebSocket', 'the log file', 'the echo of the log')
})

t.test('the application for one printer', async t => {
  const { hear, judge } = notes(t)
  const app = await listenStandalone(t)
  const socket = await connectSocket(t, app)
  await plant(app)
  hear('Socket.IO', await updateOf(app, socket))
  for (const path of ['printer', 'health_check', 'get_all_data', 'charts', 'dump_log']) hear(path, (await app.get(path)).text)
  judge('Socket.IO', 'printer', 'health_check', 'get_all_data')
})
