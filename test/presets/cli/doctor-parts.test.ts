import t from 'tap'
import { configFor, readPrinterList, verifyPrinter } from '../../../plugins/management/index.js'
import { checkFleet } from '../../../presets/cli/doctor/machine-checks.js'
import { checkPrinterAlone } from '../../../presets/cli/doctor/printer.js'
import { loadConfig } from '../../../core/kernel/config.js'
import { boot } from '../../helpers/boot.js'
import { freePort } from '../../helpers/ports.js'

t.test('a shared printer that another service holds is no failure, and drops no other check', async t => {
  const { kernel, name } = await boot(t, { models: ['P1S'] })
  const config = kernel.printers.config(name)
  if (!config) throw new Error('no printer')
  const held = async () => { throw Object.assign(new Error("the session of 'p1s' is held by hall/b"), { code: 'PRN_ERR_HELD_ELSEWHERE' }) }
  const { checks } = await checkPrinterAlone(config, kernel, held)
  t.match(checks.find(check => check.name === 'session'), { status: 'skipped', detail: /held by hall\/b/ })
  t.match(checks.find(check => check.name === 'mqtt'), { status: 'ok' })
  const broken = await checkPrinterAlone(config, kernel, async () => { throw new Error('it broke') })
  t.match(broken.checks.find(check => check.name === 'session'), { status: 'failed', detail: 'it broke' })
  t.ok(broken.checks.length > 3, 'the others are told')
})

t.test('a fleet of which no server answers says so in words', async t => {
  const servers = [`nats://127.0.0.1:${await freePort()}`, `nats://127.0.0.1:${await freePort()}`]
  const [check] = await checkFleet({ plugins: { fleet: { servers, site: 'hall' } } })
  t.match(check, { name: 'fleet', status: 'failed', detail: /nothing listens there|refused/ })
  t.notMatch(check?.detail, /undefined/)
})

t.test('a printer at a host that does not exist is not stored', async t => {
  const { kernel } = await boot(t, { models: [] })
  const candidate = { name: 'a', host: 'no-such-host.invalid', serial: 'S1', accessCode: '12345678', ports: { ftps: 9990 } }
  const config = configFor(kernel, candidate)
  t.match(config.ports, { mqtt: 8883, ftps: 9990 })
  await t.rejects(verifyPrinter(kernel, config, candidate, { signal: kernel.signal, progress: () => {} }),
    { code: 'PRN_ERR_NOT_ADMITTED', message: /no-such-host\.invalid'.*use the printer's IP address/ })
})

t.test('a slip in a key is told with what was meant', t => {
  const printer = { name: 'a', serial: 'S1', accessCode: '1' }
  t.throws(() => loadConfig({ printers: [{ ...printer, hosst: 'b' }] }), { message: /unknown key 'hosst'; did you mean 'host'\?/ })
  t.throws(() => readPrinterList(JSON.stringify([{ ...printer, hosst: 'b' }]), []), { message: /'hosst' is no field of a printer; did you mean 'host'\?/ })
  t.throws(() => readPrinterList('name,hosst,serial,access_code\na,b,c,d', []), { message: /'hosst'; did you mean 'host'\?/ })
  const [listed] = readPrinterList('name,host,serial,access_code,ftps_port,camera_port\na,b,c,d,991,6001', [])
  t.match(listed, { ports: { ftps: 991, camera: 6001 } })
  t.end()
})
