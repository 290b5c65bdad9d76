import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot as bootDaemon } from '../../helpers/boot.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

t.test('the log as a whole, by its end, and emptied', async t => {
  const dataDir = testFolder(t)
  const log = join(dataDir, 'logs', 'service.log')
  const { kernel, http, tool } = await boot(t, { models: [], config: { dataDir, log: { file: log } } })
  const written = async (lines: number) => {
    await eventually(async () => (await readFile(log, 'utf8')).split('\n').length > lines)
  }
  for (let n = 1; n <= 5; n++) kernel.logs.root.error(`entry ${n}`)
  await written(5)
  const whole = await kernel.app.inject('/api/dump_log?tail_lines=1')
  t.equal(whole.headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(whole.body.split('\n').filter(Boolean).length, 5, 'tail_lines is for the tool')
  const tail = async (args: object) => (await tool('dump_log', { ...args })).value
  const { lines, total_lines: total, log_path: path } = await tail({ tail_lines: 2 })
  t.match(lines, [/entry 4/, /entry 5/], 'newest last')
  t.equal(total, 2)
  t.equal(path, log)
  t.equal((await tail({})).total_lines, 5)
  for (const [wanted, count] of [[0, 5], [99, 5], [-3, 3]]) {
    t.equal((await tail({ tail_lines: wanted })).total_lines, count, String(wanted))
  }
  t.same((await tool('truncate_log', { user_permission: true })).value, { success: true, log_path: log })
  t.same((await kernel.app.inject('/api/dump_log')).body, '')
  kernel.logs.root.error('after')
  await written(1)
  t.match((await tail({})).lines, [/after/], 'it goes on from the beginning')
  t.same((await http('DELETE', '/api/truncate_log')).body, { status: 'success' })
  t.same((await tail({})).lines, [])
})

t.test('no log file', async t => {
  const dataDir = testFolder(t)
  const { kernel, tool } = await boot(t, { models: [], config: { dataDir, log: { file: join(dataDir, 'prnd.log') } } })
  kernel.logs.root.error('an entry')
  await rm(join(dataDir, 'prnd.log'), { force: true })
  t.same((await tool('dump_log')).value,
    { lines: [], total_lines: 0, log_path: join(dataDir, 'prnd.log'), note: 'There is no log file yet.' })
  const { statusCode, body } = await kernel.app.inject('/api/dump_log')
  t.equal(statusCode, 200)
  t.equal(body, '')
})

t.test('levels: of the service and of the sessions, each by itself', async t => {
  const { kernel, http } = await boot(t, { models: [] })
  const levels = () => [kernel.logs.level('service'), kernel.logs.level('printers')]
  t.same(levels(), ['ERROR', 'ERROR'], 'at every start')
  t.same((await http('POST', '/api/set_log_level', { level: 'debug' })).body,
    { status: 'success', level: 'DEBUG', bpm_level: null })
  t.same(levels(), ['DEBUG', 'ERROR'])
  await http('POST', '/api/set_log_level', { level: 'WARNING', bpm_level: 'Info' })
  t.same(levels(), ['WARNING', 'INFO'])
  t.same((await http('GET', '/api/log_level')).body, { status: 'success', level: 'WARNING' })
  t.equal((await http('POST', '/api/set_log_level', { level: 'DEBUG', bpm_level: 'LOUD' })).status, 400)
  t.same(levels(), ['WARNING', 'INFO'], 'neither changes when one is wrong')
})

t.test('ports: claimed ones, and no fewer than none left', async t => {
  const config = { ports: { start: 61_020, end: 61_021, preferred: 61_022 }, api: { host: '127.0.0.1' } }
  const { kernel, http, tool } = await boot(t, { models: [], listen: true, config })
  const first = (await http('GET', '/api/server_info')).body
  t.match(first, {
    api_port: 61_022,
    api_url: 'http://localhost:61022/api',
    pool_start: 61_020,
    pool_end: 61_021,
    pool_size: 2,
    pool_available: 1,
    pool_claimed: [61_022],
    stream_count: 0,
    streams: {}
  }, 'a port outside counts as well')
  t.same((await tool('get_server_info')).value, first)
  const leases = await Promise.all([1, 2].map(n => kernel.ports.claim(`stream ${n}`, async port => port)))
  t.match((await http('GET', '/api/server_info')).body, { pool_available: 0, pool_claimed: [61_020, 61_021, 61_022] })
  for (const lease of leases) lease.release()
})

t.test('the default printer: named, configured, first that is connected, none', async t => {
  const { http, kernel } = await boot(t, { models: ['P1S', 'X1C'] })
  const asked = async (params: { printer?: string } = {}) => (await http('GET', '/api/default_printer', params)).body
  const first = { status: 'success', printer: 'p1s', source: 'first_connected', connected_printers: ['p1s', 'x1c'] }
  t.same(await asked(), first)
  t.same(await asked({ printer: '' }), first)
  t.match(await asked({ printer: 'anybody' }), { printer: 'anybody', source: 'explicit' }, 'whether it exists or not')
  await kernel.printers.get('p1s')?.pause()
  t.match(await asked(), { printer: 'x1c', source: 'first_connected', connected_printers: ['x1c'] }, 'one that is paused is not')
  await kernel.printers.disconnect('p1s')
  t.match(await asked(), { printer: 'x1c', connected_printers: ['x1c'] })
  await kernel.printers.get('x1c')?.pause()
  t.same(await asked(), { status: 'success', printer: null, source: 'none', connected_printers: [] }, 'none is connected')
  t.equal((await http('PATCH', '/api/toggle_session')).status, 200, 'a paused one can be resumed without its name')
  t.match(await asked(), { printer: 'x1c', source: 'first_connected' })
  await kernel.printers.disconnect('x1c')
  t.same(await asked(), { status: 'success', printer: null, source: 'none', connected_printers: [] })
  const other = await boot(t, { models: ['P1S'], config: { defaultPrinter: 'away' } })
  t.match((await other.http('GET', '/api/default_printer')).body, { printer: 'away', source: 'env_var' })
  t.match(await other.http('GET', '/api/session_status'),
    { status: 400, body: { reason: "Printer 'away' not connected" } })
})

t.test('printers and their connections', async t => {
  const { http, kernel, printer } = await boot(t, { models: ['P1S', 'X1C'] })
  const list = async () => (await http('GET', '/api/printers')).body
  const first = { name: 'p1s', connected: true, session_active: true, service_state: 'CONNECTED' }
  t.match(await list(), { total: 2, printers: [first, { name: 'x1c' }] })
  await kernel.printers.get('p1s')?.pause()
  t.match((await list()).printers[0], { connected: false, session_active: true, service_state: 'PAUSED' })
  await kernel.printers.get('p1s')?.resume()
  await kernel.printers.disconnect('x1c')
  t.match((await list()).printers[1], { name: 'x1c', connected: false, session_active: false, service_state: null })
  const dropped = kernel.printers.get('p1s')?.events.once('service')
  printer.faults.rejectAccessCode()
  await dropped
  const { body } = await http('GET', '/api/session_status', { printer: 'p1s' })
  t.match(body, { ...first, connected: false, service_state: 'DISCONNECTED', problem: { code: String, message: /\S/ } })
})

t.test('the list of printers is the same object until something in it changes', async t => {
  const { kernel, name } = await boot(t)
  const list = kernel.operations.get('system.listPrinters') as NonNullable<ReturnType<typeof kernel.operations.get>>
  const first = await kernel.call(list, {})
  t.match(first, { total: 1, printers: [{ name, service_state: 'CONNECTED' }] })
  t.equal(await kernel.call(list, {}), first)
  await kernel.printers.disconnect(name)
  const second = await kernel.call(list, {})
  t.match(second, { total: 1, printers: [{ name, connected: false, session_active: false, service_state: null }] })
  t.equal(await kernel.call(list, {}), second)
})

t.test('agents read the table of connections as programs do', async t => {
  const { http, tool } = await bootDaemon(t, { models: [] })
  const { value } = await tool('list_connections')
  t.same(value, (await http('GET', '/api/connections')).body)
  t.ok(value.connections.some(({ name }: { name: string }) => name === 'database'))
})
