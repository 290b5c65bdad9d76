// Files of others: whoever is limited to some printers sends files to a place of his own, and reaches no other file.
import t, { type Test } from 'tap'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Kernel, Role } from '../../../core/index.js'
import { boot } from '../../helpers/boot.js'
import { sliced, upload } from '../queue/helpers.js'
import { ask, ELSEWHERE, logIn, PASSWORD } from './people.js'

const SECRET = 'zyxoth-secret'
const CONTENT_TEXT = 'qqvv 9431 of somebody else'
const CONTENT = /qqvv/
const HIDDEN = /zyxoth/i
const ON_CARD = '/taken.gcode.3mf'
const TOOLS_PASSED_OVER = new Set(['get_snapshot', 'analyze_active_job', 'discover_printers', 'remove_printer',
  'update_printer_credentials', 'pause_mqtt_session', 'rename_printer', 'disconnect_printer'])

const formOf = (name: string, content: string | Buffer) => {
  const head = `--x\r\ncontent-disposition: form-data; name="myFile"; filename="${name}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--x--\r\n')])
  return { type: 'multipart/form-data; boundary=x', body }
}

interface As { readonly key?: string, readonly cookie?: string }
const headersOf = ({ key, cookie }: As) => ({ ...(key && { authorization: `Bearer ${key}` }), ...(cookie && { cookie }) })

async function send (kernel: Kernel, name: string, content: string | Buffer, as: As, method: 'GET' | 'POST' = 'POST') {
  const { type, body } = formOf(name, content)
  const { statusCode, body: text } = await kernel.app.inject({
    method,
    url: '/api/upload_file_to_host',
    remoteAddress: ELSEWHERE,
    headers: { 'content-type': type, ...headersOf(as) },
    payload: body
  })
  return { status: statusCode, text }
}

/** Printers, and files of somebody else in every place that this host has for them. */
async function start (t: Test) {
  const booted = await boot(t, {
    models: [{ model: 'X1C', name: 'mine' }, { model: 'P1S', name: 'theirs' }],
    listen: true,
    config: { plugins: { http: { limits: { uploads: 0, archives: 0, pictures: 0, analysis: 0, catalogue: 0 } } } }
  })
  const { kernel } = booted
  const { store } = kernel.services.people
  const key = (name: string, role: Role, printers?: string[]) =>
    store.addKey({ name, role, printers, expiresAt: undefined, owner: undefined })
  const stored = await upload(booted, sliced({ salt: CONTENT_TEXT }), `${SECRET}.gcode.3mf`)
  t.equal(stored.status, 200)
  const boss = await key('boss', 'administrate')
  t.equal((await send(kernel, `${SECRET}.gcode.3mf`, CONTENT_TEXT, { key: boss })).status, 200)
  const hostFile = join(kernel.dataDir, 'files', `${SECRET}.gcode.3mf`)
  await writeFile(hostFile, CONTENT_TEXT)
  const wanted = [`${SECRET}.gcode.3mf`, hostFile, join(kernel.dataDir, 'uploads', `${SECRET}.gcode.3mf`), stored.body.id as string]
  // of nearly the same letters, where nothing is
  const absent = wanted.map(value => value.includes(SECRET) ? value.replaceAll(SECRET, 'absent-absent') : value.replaceAll(/./g, 'a'))
  return { ...booted, kernel, key, boss, hostFile, wanted, absent }
}

const putOn = (kernel: Kernel, src: string, dest: string, as: As) =>
  ask(kernel, 'POST', `/api/upload_file_to_printer?printer=mine&src=${encodeURIComponent(src)}&dest=${dest}`, undefined,
    { ...as, from: ELSEWHERE })

t.test('each has a place of his own: what others sent is not there, by key or login', async t => {
  const { kernel, key, boss, printers: [mine] } = await start(t)
  const card = mine!.card
  const { store } = kernel.services.people
  await ask(kernel, 'POST', '/api/people/users', { name: 'anna', role: 'administrate', password: PASSWORD }, { key: boss })
  for (const name of ['ben', 'cleo']) {
    await ask(kernel, 'POST', '/api/people/users', { name, role: 'operate', password: PASSWORD, printers: ['mine'] }, { key: boss })
  }
  const ben = { cookie: (await logIn(kernel, 'ben', PASSWORD)).cookie }
  const cleo = { cookie: (await logIn(kernel, 'cleo', PASSWORD)).cookie }
  const program = { key: await key('program', 'operate', ['mine']) }
  const other = { key: await key('other', 'operate', ['mine']) }
  const bens = {
    key: await store.addKey({
      name: 'bens', role: 'operate', printers: undefined, expiresAt: undefined, owner: kernel.services.people.find('ben').id
    })
  }

  for (const [who, name] of [[ben, 'plan.txt'], [program, 'part.txt']] as const) {
    const { status, text } = await send(kernel, name, `of ${name}`, who)
    t.equal(status, 200, text)
    t.equal((await send(kernel, name, name, who, 'GET')).status, 400, 'let in, and told that GET brings no file')
  }
  const taken = async (who: As, src: string) => {
    const { status, text } = await putOn(kernel, src, ON_CARD, who)
    const content = status === 200 ? String(await card.get(ON_CARD)) : ''
    await card.remove(ON_CARD).catch(() => {})
    return { status, text: text.replaceAll(src, 'NAME'), content }
  }
  t.match(await taken(ben, 'plan.txt'), { status: 200, content: 'of plan.txt' })
  t.match(await taken(bens, 'plan.txt'), { status: 200, content: 'of plan.txt' }, 'his key is he')
  t.match(await taken(program, 'part.txt'), { status: 200, content: 'of part.txt' })
  for (const [who, src] of [
    [cleo, 'plan.txt'], [program, 'plan.txt'], [other, 'part.txt'], [ben, 'part.txt'], [ben, `${SECRET}.gcode.3mf`],
    [{ key: boss }, 'plan.txt']
  ] as const) {
    const absent = await taken(who, 'nothing.of.that.name')
    t.equal(absent.status, 404)
    t.same(await taken(who, src), absent, `${src} is as if it were not there`)
  }
  for (const src of ['../plan.txt', '/etc/hostname', '..', 'a/../b', '..\\x']) t.equal((await taken(cleo, src)).status, 400, src)

  t.equal((await send(kernel, 'plan.txt', 'of cleo', cleo)).status, 200)
  t.equal((await taken(ben, 'plan.txt')).content, 'of plan.txt', 'the same name twice: neither replaces the other')
  t.equal((await taken(cleo, 'plan.txt')).content, 'of cleo')

  const view = { key: await key('view', 'view', ['mine']) }
  t.equal((await send(kernel, 'x', 'x', view)).status, 403, 'looking is not sending')

  await ask(kernel, 'DELETE', '/api/people/users?name=ben', undefined, { key: boss })
  await ask(kernel, 'POST', '/api/people/users', { name: 'ben', role: 'operate', password: PASSWORD, printers: ['mine'] }, { key: boss })
  const next = { cookie: (await logIn(kernel, 'ben', PASSWORD)).cookie }
  t.equal((await taken(next, 'plan.txt')).status, 404, 'whoever has the name later finds nothing of before')
})

/** They end the walk, wait long for what is not there, or take the printer away that it needs. */
const PASSED_OVER = new Set(['camera.takeSnapshot', 'health.analyzeJob', 'management.discoverPrinters', 'management.testPrinter', 'management.addPrinter', 'management.removePrinter',
  'management.disconnectPrinter', 'management.updateCredentials', 'people.removeUser', 'people.revokeKey', 'people.changeOwnPassword',
  'system.toggleSession', 'system.pauseSession', 'system.renamePrinter'])
/** Own paths of the card may be named, whatever stands in them. */
const CARD_FIELDS = /^(printer|dest|remote_path|dest_path|src_path|target_id|target_name)$/

const stringsOf = (schema: unknown): string[] =>
  Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {})
    .filter(([, { type }]) => type === 'string').map(([name]) => name)

/** What is said, whatever the value was; long ones are cut in some answers. */
const settled = (status: number, text: string, value: string) =>
  `${status} ${text.replaceAll(value, 'VALUE').replaceAll(/\S*…|'[^']*(zyxoth-secret|absent-absent)'/g, 'VALUE').replaceAll(/\d+/g, '0')}`

t.test('no route leads to them, whatever it is told', async t => {
  const { kernel, key, boss, wanted, absent, printers: [mine] } = await start(t)
  const roles = { operate: await key('operate', 'operate', ['mine']), administrate: await key('administrate', 'administrate', ['mine']) }
  const routes = kernel.contributed('routes').filter(({ operation }) => !PASSED_OVER.has(operation.name))
  let asked = 0
  for (const [role, as] of Object.entries(roles)) {
    for (const { method, path, params, operation } of routes) {
      const fields = [...stringsOf(params ?? operation.input), ...(/:\w+/.test(path) ? [':'] : [])].filter(field => !CARD_FIELDS.test(field))
      for (const field of fields) {
        const say = async (value: string) => {
          const query = new URLSearchParams({ printer: 'mine', dest: ON_CARD, ...(field !== ':' && { [field]: value }) })
          const url = `/api${path.replace(/:\w+/g, encodeURIComponent(field === ':' ? value : 'x'))}?${query.toString()}`
          const { status, text } = await ask(kernel, method, url, undefined, { key: as, from: ELSEWHERE })
          t.notMatch(text, CONTENT, `${method} ${path} ${field} ${role}`)
          asked++
          return settled(status, text, value)
        }
        for (const [index, value] of wanted.entries()) {
          const got = await say(value)
          if (got.startsWith('2')) continue
          t.equal(got, await say(absent[index] ?? ''), `${method} ${path} ${field} as ${role}: as if it were not there`)
        }
      }
      if (method !== 'GET') continue
      const { text } = await ask(kernel, 'GET', `/api${path.replace(/:\w+/g, 'x')}?printer=mine`, undefined, { key: as, from: ELSEWHERE })
      t.notMatch(text, HIDDEN, `${path} as ${role} lists nothing of them`)
    }
  }
  t.ok(asked > 300, `${asked} requests`)
  for (const path of await mine!.card.files()) t.notMatch(String(await mine!.card.get(path)), CONTENT, path)
  t.match(await putOn(kernel, `${SECRET}.gcode.3mf`, ON_CARD, { key: boss }), { status: 200 }, 'for others it is there')
})

t.test('no tool leads to them, whatever it is told', async t => {
  const { kernel, key, wanted, absent, hostFile, printers: [mine] } = await start(t)
  for (const role of ['operate', 'administrate'] as const) {
    const as = await key(role, role, ['mine'])
    const client = new Client({ name: 'test', version: '1.0.0' })
    const requestInit = { headers: { authorization: `Bearer ${as}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`), { requestInit }) as Transport)
    t.teardown(() => client.close())
    const { tools } = await client.listTools()
    t.ok(tools.length > 50, `${tools.length} tools`)
    for (const { name, inputSchema } of tools) {
      if (TOOLS_PASSED_OVER.has(name)) continue
      for (const field of stringsOf(inputSchema).filter(field => field !== 'name' && !CARD_FIELDS.test(field))) {
        const say = async (value: string) => {
          const args = { name: 'mine', remote_path: ON_CARD, user_permission: true, [field]: value }
          const { isError, content } = await client.callTool({ name, arguments: args })
          const text = JSON.stringify(content)
          t.notMatch(text, CONTENT, `${name} ${field}`)
          return settled(isError === true ? 400 : 200, text, value)
        }
        for (const [index, value] of wanted.entries()) {
          const got = await say(value)
          if (got.startsWith('2')) continue
          t.equal(got, await say(absent[index] ?? ''), `${name} ${field} as ${role}: as if it were not there`)
        }
      }
    }
    if (role !== 'administrate') continue
    t.equal((await send(kernel, 'own.txt', 'of my own', { key: as })).status, 200)
    const call = async (tool: string, local: string, remote: string) =>
      (await client.callTool({ name: tool, arguments: { name: 'mine', local_path: local, remote_path: remote, user_permission: true } }))
    t.notOk((await call('upload_file', 'own.txt', ON_CARD)).isError, 'an own file by its name')
    t.equal(String(await mine!.card.get(ON_CARD)), 'of my own')
    t.notOk((await call('download_file', 'back.txt', ON_CARD)).isError)
    t.notOk(existsSync(join(kernel.dataDir, 'files', 'back.txt')), 'what is fetched lies in the own place')
    const refused = await call('download_file', hostFile, ON_CARD)
    t.ok(refused.isError)
    t.match(JSON.stringify(refused.content), /one of your files/)
    t.equal(await readFile(hostFile, 'utf8'), CONTENT_TEXT, 'nothing is replaced')
  }
  for (const path of await mine!.card.files()) t.notMatch(String(await mine!.card.get(path)), CONTENT, path)
})
