import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Kernel } from '../../../core/index.js'
import { readConfig } from '../../../core/index.js'
import { updateCredentials } from '../../../plugins/management/operations/credentials.js'
import { renameConfigured } from '../../../plugins/management/operations/rename.js'
import { eventually } from '../../helpers/eventually.js'
import { empty, preset, stranger } from './preset.js'
import { boot } from '../../helpers/boot-features.js'

const stored = async ({ configFile }: Kernel) =>
  JSON.parse(await readFile(configFile, 'utf8').catch(() => '{"printers":[]}')).printers
const codes = async ({ dataDir }: Kernel) =>
  JSON.parse(await readFile(join(dataDir, 'secrets', 'printers.json'), 'utf8').catch(() => '{"accessCodes":{}}')).accessCodes

t.test('a printer is added: tried out, stored without its code, and connected at once', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  const { text, failed } = await tool('add_printer', { ...args, serial: ` ${printer.serial.toLowerCase()} ` })
  t.equal(text, "Printer 'new' added and session started.")
  t.notOk(failed)
  t.same(await stored(kernel),
    [{ name: 'new', host: printer.host, serial: printer.serial, ports: { mqtt: printer.ports.mqtt } }])
  t.same(await codes(kernel), { [printer.serial]: printer.accessCode })
  t.equal((await stat(join(kernel.dataDir, 'secrets', 'printers.json'))).mode & 0o777, 0o600)
  await eventually(() => kernel.printers.get('new')?.live)
  t.equal(kernel.pins.get(printer.serial), printer.fingerprint, 'its certificate is the one that was tried')
  t.same((await tool('get_configured_printers')).value,
    { printers: [{ name: 'new', connected: true, session_active: true, service_state: 'CONNECTED' }], total: 1 })
  const { config } = await readConfig(kernel.configFile, { env: {} })
  t.equal(config.printers.length, 1, 'the next start finds it')
  t.equal(kernel.redact(`x ${printer.accessCode} x`), 'x ******** x')
})

t.test('each thing that can be wrong has its reason, and nothing is stored', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  const wrong = (more: object) => tool('add_printer', { ...args, ...more })
  for (const [more, reason] of [
    [{ access_code: '11111111' }, /^Error: Nothing was saved for 'new': .*access code/],
    [{ serial: '01P00A999999999' }, /^Error: Nothing was saved for 'new': .*identifies itself as '.*', not as '01P00A999999999'/],
    [{ ip: '' }, /^Error: ip is required$/],
    [{ ip: 'http://1.2.3.4/' }, /^Error: ip must be an address or a host name$/],
    [{ serial: 'a b' }, /^Error: serial must be letters and digits only$/],
    [{ access_code: ' ' }, /^Error: access_code is required$/],
    [{ name: 'a/b' }, /^Error: The printer's name must not contain/],
    [{ mqtt_port: 0 }, /^Error: mqtt_port /],
    [{ ftps_port: 0 }, /^Error: ftps_port /],
    [{ camera_port: 65_536 }, /^Error: camera_port /],
    [{ rtsps_port: 'x' }, /^Error: rtsps_port /]
  ] as const) {
    const { text, failed } = await wrong(more)
    t.match(text, reason)
    t.ok(failed)
    t.notMatch(text, printer.accessCode)
  }
  t.same(await stored(kernel), [])
  t.same(await codes(kernel), {})
  t.same(kernel.printers.names, [])
})

t.test('a certificate that changed is refused, and the old one stays', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  const { fingerprint } = printer
  kernel.pins.set(printer.serial, fingerprint)
  await printer.faults.changeCertificate()
  t.match((await tool('add_printer', args)).text, /^Error: Nothing was saved for 'new': The certificate of .* differs from/)
  t.equal(kernel.pins.get(printer.serial), fingerprint)
  t.same(await stored(kernel), [])
})

t.test('a printer that is off, or silent, is stored all the same', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  printer.faults.silence()
  t.match((await tool('add_printer', args)).text,
    /^Error: Credentials saved for 'new' but session failed to start: .* sends no report/)
  t.equal(kernel.printers.names.length, 1)
  t.match((await tool('add_printer', { ...args, name: 'off', serial: '01P00A000000001', mqtt_port: 1 })).text,
    /^Error: Credentials saved for 'off' but session failed to start: .*: nothing answers on that port/)
  t.same((await stored(kernel)).map(({ name }: { name: string }) => name), ['new', 'off'])
  await printer.faults.clear()
  await eventually(() => kernel.printers.get('new')?.live, 20_000)
})

t.test('one printer is not configured twice', async t => {
  const { tool } = await empty(t)
  const { args } = await stranger(t)
  await tool('add_printer', args)
  t.match((await tool('add_printer', { ...args, name: 'again' })).text, /is already configured as 'new'$/)
  t.match((await tool('add_printer', { ...args, name: 'NEW' })).text, /^Error: Printer 'NEW' is already configured as 'new'$/)
  t.equal((await tool('add_printer', args)).text, "Printer 'new' added and session started.", 'the same entry is replaced')
})

t.test('a failed change leaves the printer connected as it was', async t => {
  const { tool, kernel, printer, name } = await boot(t, { models: ['X1C'], preset })
  const update = (args: object) => tool('update_printer_credentials', { name, user_permission: true, ...args })
  t.match((await update({ access_code: '11111111' })).text, /^Error: Nothing was saved for 'x1c': /)
  await eventually(() => kernel.printers.get(name)?.live)
  t.same(await stored(kernel), [])
  t.equal((await update({})).text, "Credentials updated and session restarted for 'x1c'.")
  t.match(await stored(kernel), [{ name: 'x1c', host: printer.host, serial: printer.serial }])
  t.equal((await tool('update_printer_credentials', { name: 'nobody', user_permission: true })).text,
    "Error: Printer 'nobody' is not configured.")
  t.match((await update({ ip: '127.0.0.1', mqtt_port: 1 })).text,
    /^Error: Credentials updated for 'x1c' but session restart failed: .*nothing answers/)
  t.match(await stored(kernel), [{ name: 'x1c', ports: { mqtt: 1 } }])
})

t.test('the stored code goes to no other printer', async t => {
  const { tool, kernel, printer, name } = await boot(t, { models: ['X1C'], preset })
  const { printer: impostor } = await stranger(t, { accessCode: printer.accessCode })
  const update = (args: object) => tool('update_printer_credentials', { name, user_permission: true, ...args })
  const where = { ip: impostor.host, mqtt_port: impostor.ports.mqtt }
  const needed = /^Error: Changing the (serial number|address|port) of 'x1c' requires its access_code in the same call/
  t.match((await update({ ...where, serial: impostor.serial })).text, needed)
  t.match((await update({ serial: impostor.serial })).text, needed)
  t.notMatch((await update(where)).text, /^Credentials/, 'another certificate than the pinned one')
  t.same(impostor.requests, [], 'nobody logged in to the other one')
  await eventually(() => kernel.printers.get(name)?.live)
  t.match(kernel.printers.config(name), { host: printer.host, serial: printer.serial })
})

t.test('without a pinned certificate a new address needs the code', async t => {
  for (const tls of [{ mode: 'insecure' }, { mode: 'pin' }]) {
    const { kernel, tool } = await empty(t, {
      config: {
        printers: [{ name: 'p', host: '127.0.0.1', serial: '01P00A000000001', accessCode: '12345678', ports: { mqtt: 1 }, tls }]
      }
    })
    const update = (args: object) => tool('update_printer_credentials', { name: 'p', user_permission: true, ...args })
    t.match((await update({ ip: '127.0.0.2' })).text, /^Error: Changing the address of 'p' requires/, tls.mode)
    t.match((await update({ mqtt_port: 2 })).text, /^Error: Changing the port of 'p' requires/, tls.mode)
    t.match(kernel.printers.config('p'), { host: '127.0.0.1', ports: { mqtt: 1 } })
    t.match((await update({ ip: '127.0.0.2', access_code: '87654321' })).text, /Credentials updated for 'p'/)
  }
})

t.test('a code from the environment stays there until another is given', async t => {
  const { tool, kernel, printer, name } = await boot(t, { models: ['P1S'], preset })
  const { host, serial, ports } = printer
  await writeFile(kernel.configFile, JSON.stringify({ printers: [{ name, host, serial, ports, accessCode: { env: 'CODE' } }] }))
  await tool('update_printer_credentials', { name, user_permission: true, ip: '127.0.0.1' })
  t.match(await stored(kernel), [{ accessCode: { env: 'CODE' }, host: '127.0.0.1' }])
  t.same(await codes(kernel), {})
  await tool('update_printer_credentials', { name, user_permission: true, access_code: printer.accessCode })
  t.notOk('accessCode' in (await stored(kernel))[0])
  t.same(await codes(kernel), { [serial]: printer.accessCode })
})

t.test('disconnected, started, restarted, and what is told of it', async t => {
  const { tool, kernel, name } = await boot(t, { models: ['X1C'], preset })
  const status = async (of = name) => (await tool('get_printer_connection_status', { name: of })).value
  t.same(await status(), {
    name, configured: true, session_active: true, connected: true, service_state: 'CONNECTED', recent_update: true
  })
  let isOver = () => {}
  const warmed = kernel.printers.get(name)?.exclusively('a job that warms it', () => new Promise<void>(resolve => { isOver = resolve }))
  for (const end of ['disconnect_printer', 'remove_printer', 'start_printer', 'pause_mqtt_session']) {
    t.match((await tool(end, { name, user_permission: true })).text, /a job that warms it on 'x1c' is in progress/)
  }
  const claimed = { code: 'PRN_ERR_PRINTER_CLAIMED' }
  await t.rejects(kernel.call(renameConfigured, { name, newName: 'other' }), claimed)
  await t.rejects(kernel.call(updateCredentials, { name, onlyReachable: true }), claimed)
  t.ok(kernel.printers.get(name)?.live)
  isOver()
  await warmed
  t.equal((await tool('disconnect_printer', { name, user_permission: true })).text,
    `Printer '${name}' disconnected. Configuration retained; use start_printer('${name}') to reconnect.`)
  t.same(await status(), {
    name, configured: true, session_active: false, connected: false, service_state: null, recent_update: null
  })
  t.equal((await tool('disconnect_printer', { name, user_permission: true })).text, `Error: Printer '${name}' not connected.`)
  t.equal((await tool('start_printer', { name, user_permission: true })).text, `Printer '${name}' session started.`)
  t.ok(kernel.printers.get(name)?.live)
  t.equal((await tool('start_printer', { name, user_permission: true })).text, `Printer '${name}' session restarted.`)
  t.match(await status('nobody'), { name: 'nobody', configured: false, session_active: false, service_state: null })
  t.equal((await tool('start_printer', { name: 'nobody', user_permission: true })).text, "Error: Printer 'nobody' is not configured.")
})

t.test('a session that cannot start says why', async t => {
  const { tool, printer, name } = await boot(t, { models: ['P1S'], preset })
  printer.faults.rejectAccessCode()
  t.match((await tool('start_printer', { name, user_permission: true })).text, /^Error starting session for 'p1s': .*access code/)
})

t.test('removed: session, entry, code and certificate are gone', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  await tool('add_printer', args)
  t.equal((await tool('remove_printer', { name: 'new', user_permission: true })).text, "Printer 'new' removed and credentials deleted.")
  t.same(await stored(kernel), [])
  t.same(await codes(kernel), {})
  t.equal(kernel.pins.get(printer.serial), undefined)
  t.same(kernel.printers.names, [])
  t.equal((await tool('remove_printer', { name: 'new', user_permission: true })).text, "Error: Printer 'new' is not configured.")
})

t.test('a file that cannot be written is told, and what runs goes on', async t => {
  const { tool, kernel } = await empty(t)
  const { args } = await stranger(t)
  await tool('add_printer', args)
  const before = await readFile(kernel.configFile, 'utf8')
  await rm(kernel.configFile)
  await mkdir(kernel.configFile)
  t.match((await tool('add_printer', args)).text, /^Error saving credentials for 'new': .*cannot be read/)
  await eventually(() => kernel.printers.get('new')?.live)
  t.match((await tool('remove_printer', { name: 'new', user_permission: true })).text,
    /^Error: Session stopped for 'new' but error deleting credentials: .*cannot be read/)
  t.same(kernel.printers.names, ['new'], 'it is still configured')
  await rm(kernel.configFile, { recursive: true })
  await writeFile(kernel.configFile, before)
  t.equal((await tool('remove_printer', { name: 'new', user_permission: true })).text, "Printer 'new' removed and credentials deleted.")
})

t.test('who goes away in the middle changes nothing', async t => {
  const { kernel } = await empty(t, { config: { plugins: { management: { reportSeconds: 30 } } } })
  const { printer } = await stranger(t)
  printer.faults.silence()
  const { addPrinter } = await import('../../../plugins/management/operations/credentials.js')
  const gone = new AbortController()
  const { host, serial, accessCode, ports } = printer
  const adding = kernel.call(addPrinter, { name: 'new', host, serial, accessCode, mqttPort: ports.mqtt }, {
    signal: gone.signal,
    progress: done => { if (done === 2) gone.abort(new Error('gone')) }
  })
  await t.rejects(adding, { message: 'gone' })
  t.same(kernel.printers.names, [])
  t.same(await stored(kernel), [])
})

t.test('agents name all ports of a printer, and a code follows to none of them unasked', async t => {
  const { tool, kernel } = await empty(t)
  const { printer, args } = await stranger(t)
  const { mqtt, ftps } = printer.ports
  t.notOk((await tool('add_printer', { ...args, ftps_port: ftps, camera_port: 6_001, rtsps_port: 3_220 })).failed)
  t.match(kernel.printers.config('new')?.ports, { mqtt, ftps, camera: 6_001, rtsps: 3_220 })
  t.same((await stored(kernel))[0]?.ports, { mqtt, ftps, camera: 6_001, rtsps: 3_220 }, 'the next start has them too')
  const update = (change: object) => tool('update_printer_credentials', { name: 'new', user_permission: true, ...change })
  t.notOk((await update({ access_code: args.access_code, camera_port: 6_002 })).failed)
  t.match(kernel.printers.config('new')?.ports, { mqtt, ftps, camera: 6_002, rtsps: 3_220 }, 'the others stay')

  const open = await empty(t, {
    config: {
      printers: [{ name: 'p', host: '127.0.0.1', serial: '01P00A000000001', accessCode: '12345678', ports: { mqtt: 1 }, tls: { mode: 'insecure' } }]
    }
  })
  for (const which of ['mqtt_port', 'ftps_port', 'camera_port', 'rtsps_port']) {
    t.match((await open.tool('update_printer_credentials', { name: 'p', user_permission: true, [which]: 12 })).text,
      /^Error: Changing the port of 'p' requires its access_code/, which)
  }
})
