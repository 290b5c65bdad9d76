import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { UNCOUNTED } from '../../../core/kernel/access.data.js'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import audit from '../../../plugins/audit/index.js'
import people, { type BudgetLimits } from '../../../plugins/people/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'
import { sliced, timing } from '../queue/helpers.js'
import { ask, ELSEWHERE } from './people.js'

const PLUGINS = join(import.meta.dirname, '..', '..', '..', 'plugins')

/** Files of plugins with some text, without those of virtual printers. */
async function filesWith (text: RegExp): Promise<string[]> {
  const names = (await readdir(PLUGINS, { recursive: true })).filter(name => name.endsWith('.ts') && !name.startsWith('emulator'))
  const found = await Promise.all(names.map(async name => text.test(await readFile(join(PLUGINS, name), 'utf8')) ? [name] : []))
  return found.flat().sort()
}

const CUBE = '/calibration-cube.gcode.3mf'
const PRINT = { filename: CUBE, use_ams: true, accept_mismatch: true, printer: 'x1c' }

const starts = ({ requests }: VirtualPrinter) => requests.filter(({ command }) => command === 'project_file').length

/** A service with a printer, and a key with a budget. */
async function scene (t: Test, budget: BudgetLimits, hasPrinter = true) {
  const booted = await boot(t, {
    preset: recordedWith(people, audit, queueWith(timing)),
    models: hasPrinter ? [{ model: 'X1C', name: 'x1c', reportEveryMs: 50, speed: 60, sdCard: { samples: true } }] : [],
    listen: true
  })
  const key = await booted.kernel.services.people.store.addKey({
    name: 'robot', role: 'operate', printers: undefined, expiresAt: undefined, owner: undefined, budget
  })
  const { kernel } = booted
  return {
    kernel,
    key,
    get printer () { return booted.printer },
    http: async (method: 'GET' | 'POST' | 'PATCH', path: string, params?: object) =>
      await ask(kernel, method, path, params, { key, from: ELSEWHERE }),
    me: async () => (await ask(kernel, 'GET', '/api/people/me', undefined, { key })).body.budget
  }
}

/** Puts a sliced file into the library. */
async function upload ({ kernel, key }: Pick<Booted, 'kernel'> & { key: string }, content: Buffer, name = 'cube.gcode.3mf') {
  const { statusCode } = await kernel.app.inject({
    method: 'POST',
    url: `/api/queue/files?filename=${name}`,
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${key}` },
    payload: content
  })
  if (statusCode !== 200) throw new Error(`the upload was answered with ${statusCode}`)
}

async function agentOf (t: Test, { kernel }: Pick<Booted, 'kernel'>, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } }
  }) as Transport)
  t.teardown(() => client.close())
  return client
}

t.test('a print counts, and the next is refused before anything is sent', async t => {
  const { http, me, printer, kernel, key } = await scene(t, { prints: { most: 1, per: 'day' }, grams: { most: 500, per: 'life' } })
  const started = await http('POST', '/api/print_3mf', PRINT)
  t.equal(started.status, 200, started.text)
  t.equal(starts(printer), 1)
  const after = await me()
  t.match(after, { prints: { most: 1, used: 1, left: 0 } })
  t.ok(after.grams.used > 0 && after.grams.left < 500, `${after.grams.used} g were booked`)
  printer.stopJob()

  const refused = await http('POST', '/api/print_3mf', PRINT)
  t.equal(refused.status, 403)
  t.match(refused.body, { error: 'over_budget', left: { prints: { left: 0 } } })
  t.match(refused.body.reason, /It takes 1 prints, more than is left.*0 of 1 prints in 24 hours.*Administrators can raise/s)

  const agent = await agentOf(t, { kernel }, key)
  const text = JSON.stringify(await agent.callTool({
    name: 'print_file',
    arguments: { name: 'x1c', file_path: CUBE, use_ams: true, accept_mismatch: true, user_permission: true }
  }))
  t.match(text, /more than is left in the budget of 'key robot'/)
  const { prints } = (await http('GET', '/api/history')).body
  const again = await http('POST', `/api/history/${prints[0].id}/reprint`, { accept_mismatch: true })
  t.match(again.body, { error: 'over_budget' }, 'a reprint')
  await upload({ kernel, key }, sliced())
  const queued = await http('POST', '/api/queue', { file: 'cube.gcode.3mf' })
  t.match(queued.body, { error: 'over_budget' }, 'a job of the queue')
  t.equal(starts(printer), 1, 'nothing else was sent')
  t.match(await me(), { prints: { used: 1 } })
})

t.test('what is no print cannot be a detour', async t => {
  const { http, kernel, key, printer } = await scene(t, { prints: { most: 0, per: 'life' } })
  for (const [path, params] of [
    ['/api/send_gcode', { gcode: 'G28' }], ['/api/send_mqtt_command', { command_json: '{"print":{"command":"project_file"}}' }]
  ] as const) {
    const { status, body } = await http('POST', path, params)
    t.equal(status, 403, path)
    t.match(body.error, /^(uncounted|role_too_low)$/, path)
  }
  const agent = await agentOf(t, { kernel }, key)
  const names = (await agent.listTools()).tools.map(({ name }) => name)
  t.notOk(names.includes('send_gcode'))
  t.ok(names.includes('who_am_i'), 'the budget can be asked for')
  t.match(JSON.stringify(await agent.callTool({ name: 'who_am_i', arguments: {} })), /prints.*left/)
  t.same(printer.requests.filter(({ command }) => ['gcode_line', 'project_file'].includes(command)), [])

  const { store } = kernel.services.people
  const other = await store.addKey({ name: 'plain', role: 'view', printers: undefined, expiresAt: undefined, owner: undefined })
  const offered = (await (await agentOf(t, { kernel }, other)).listTools()).tools.map(({ name }) => name)
  t.notOk(offered.includes('who_am_i'), 'callers without a budget need not read of it')
})

t.test('copies of a job count when they are queued, and those that were never sent are given back', async t => {
  const { http, me, kernel, key } = await scene(t, { prints: { most: 5, per: 'week' }, hours: { most: 100, per: 'life' } })
  await upload({ kernel, key }, sliced({ minutes: 60 }))
  const { body: job } = await http('POST', '/api/queue', { file: 'cube.gcode.3mf', copies: 3, retries: 1 })
  t.match(await me(), { prints: { used: 4, left: 1 }, hours: { used: 4 } }, 'a copy that fails may be printed again')
  const more = await http('PATCH', `/api/queue/jobs/${job.id}`, { copies: 5 })
  t.match(more.body, { error: 'over_budget' })
  t.match((await http('GET', `/api/queue/jobs/${job.id}`)).body, { copies: 3 }, 'the job is as it was')
  t.equal((await http('PATCH', `/api/queue/jobs/${job.id}`, { copies: 4 })).status, 200)
  t.match(await me(), { prints: { used: 5, left: 0 } })
  t.equal((await http('PATCH', `/api/queue/jobs/${job.id}`, { priority: 3 })).status, 200, 'other changes cost nothing')
  t.equal((await http('PATCH', `/api/queue/jobs/${job.id}`, { act: 'cancel' })).status, 200)
  await eventually(async () => (await me()).prints.used === 0)
  t.match(await me(), { hours: { used: 0 } })
  const bad = await http('POST', '/api/queue', { file: 'no such file' })
  t.not(bad.status, 200)
  t.match(await me(), { prints: { used: 0 } }, 'what fails costs nothing')
  await upload({ kernel, key }, sliced({ minutes: 0 }), 'unknown.gcode.3mf')
  t.match((await http('POST', '/api/queue', { file: 'unknown.gcode.3mf' })).body.reason, /not known how many hours/)
})

t.test('a cancelled print gives back what it did not use', async t => {
  const { http, me, printer } = await scene(t, { grams: { most: 500, per: 'life' } })
  t.equal((await http('POST', '/api/print_3mf', PRINT)).status, 200)
  const { grams: { used: planned } } = await me()
  t.ok(planned > 0)
  printer.stopJob()
  await eventually(async () => (await me()).grams.used < planned)
  const refusedWhileBusy = await http('POST', '/api/print_3mf', { ...PRINT, filename: '/none.3mf' })
  t.not(refusedWhileBusy.status, 200)
})

t.test('every operation that leads to a print says what it spends, or is closed to budgets', async t => {
  const { kernel } = await boot(t, { models: [] })
  const spending = [...kernel.operations.values()].filter(({ spends }) => spends !== undefined).map(({ name }) => name)
  t.same(spending.sort(), ['projects.print', 'queue.add', 'queue.update'])
  t.same([...UNCOUNTED].sort(), ['motion.extrude', 'print.sendGcode', 'print.sendRequest', 'standalone.sendGcode'])
  // Whoever calls these must pass on who pays: a new caller is found here.
  const callers = await filesWith(/operation\('(projects\.print|queue\.add)'\)/)
  t.same(callers, ['history/reprint.ts', 'queue/start.ts', 'relay/group/mqtt.ts'])
  const senders = await filesWith(/command: 'project_file'/)
  t.same(senders, ['projects/print/project-file.ts'], 'no other plugin starts prints by itself')
})

t.test('two prints at the same moment cannot share what is left', async t => {
  const { kernel } = await scene(t, {}, false)
  const { bookings } = kernel.services.people
  const account = { id: 'grant 1', name: 'grant', budget: () => ({ limits: { prints: { most: 3, per: 'life' as const } }, since: 0 }) }
  const budget = bookings.budgetOf(account)
  const cost = { prints: 1, grams: undefined, hours: undefined }
  const booked = await Promise.allSettled(Array.from({ length: 8 }, (_, at) =>
    budget.book({ id: `print ${at}`, pays: `print ${at}`, cost })))
  t.equal(booked.filter(({ status }) => status === 'fulfilled').length, 3)
  await bookings.settle('print 0', { grams: 0 })
  const first = booked.findIndex(({ status }) => status === 'fulfilled')
  await budget.giveBack(`print ${first}`)
  await budget.book({ id: 'again', pays: 'again', cost })
  await t.rejects(budget.book({ id: 'again 2', pays: 'again', cost }), { code: 'PRN_ERR_OVER_BUDGET' })
  t.match(await budget.left(), { prints: { used: 3, left: 0 } })
})

t.test('budgets are shown and changed, but not by keys that administrate', async t => {
  const { kernel, me } = await scene(t, { prints: { most: 1, per: 'life' } }, false)
  const { localPass } = await import('./people.js')
  const pass = { key: await localPass(kernel) }
  const change = async (params: object) => await ask(kernel, 'PATCH', '/api/people/keys', params, pass)
  t.match((await ask(kernel, 'GET', '/api/people/keys', undefined, pass)).body.keys, [{ name: 'robot', budget: { prints: { most: 1, left: 1 } } }])
  t.match((await change({ name: 'robot', budget: { grams: { most: 20, per: 'day' } } })).body, { budget: { grams: { left: 20 } } })
  t.match(await me(), { grams: { most: 20 } }, 'at once')
  t.equal((await change({ name: 'robot', budget: null })).body.budget, null)
  t.equal(await me(), null)
  t.match((await change({ name: 'nobody', budget: null })).status, 404)
  const chief = await ask(kernel, 'POST', '/api/people/keys', { name: 'chief', role: 'administrate', budget: { prints: { most: 1, per: 'day' } } }, pass)
  t.match(chief.body, { error: 'budget_role' })
})
