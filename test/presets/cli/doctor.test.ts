import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { everyText, redactReport, maskedSerial } from '../../../presets/cli/doctor/redact.js'
import { eventually } from '../../helpers/eventually.js'
import { ownPorts } from '../../helpers/ports.js'
import { build } from '../../outside/installed.js'
import { fullDoor } from '../../core/printer/ftp/scripted.js'
import { configured, daemon, parallelIn, prnd } from '../prnd.js'

t.before(build)
const parallel = parallelIn(t)

const CODE = '31415926'

const pool = (at: number) => ownPorts(200 + at * 8, 8)

async function startPrinter (t: Test, model: 'X1C' | 'P1S', name: string): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model, name, accessCode: CODE, host: '127.0.0.1' })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

const entryOf = ({ name, serial, accessCode, ports }: VirtualPrinter, more: object = {}) =>
  ({ name, host: 'localhost', serial, accessCode, ports, ...more })

interface Shown {
  readonly healthy: boolean
  readonly checks: readonly { name: string, status: string, detail: string, fix?: string }[]
  readonly printers: readonly { name: string, model: string, serial: string, host: string, checks: Shown['checks'] }[]
}
const statuses = (checks: Shown['checks']) => Object.fromEntries(checks.map(({ name, status }) => [name, status]))

parallel('all is well, and the report is fit for strangers', async t => {
  const printer = await startPrinter(t, 'P1S', 'good')
  const { file } = await configured(t, {
    printers: [entryOf(printer)],
    ports: pool(0),
    api: { host: '127.0.0.1', token: 'a-secret-token' }
  })
  const { code, out, err } = await prnd(t, ['doctor', '-c', file])
  t.equal(code, 0, out + err)
  t.match(out, /^prnd \d+\.\d+\.\d+, Node 2\d/)
  t.match(out, /ok {4}access {9}every request needs the token/)
  t.match(out, new RegExp(`^good \\(P1S, \\*{11}${printer.serial.slice(-4)}, \\(address\\)\\)$`, 'm'))
  t.match(out, /ok {4}session {8}connected, P1S, firmware /)
  t.match(out, /Nothing is wrong\.\n$/)
  for (const secret of [CODE, 'a-secret-token', printer.serial, 'localhost']) t.notOk(out.includes(secret), secret)
  const full = await prnd(t, ['doctor', '-c', file, '--full'])
  t.match(full.out, /localhost\)$/m)
  for (const secret of [CODE, 'a-secret-token', printer.serial]) t.notOk(full.out.includes(secret), secret)
})

parallel('a file server with too many clients is told as such', async t => {
  const printer = await startPrinter(t, 'P1S', 'busy')
  const door = await fullDoor(t, printer.ports.ftps, () => true)
  const { file } = await configured(t, {
    ports: pool(5),
    printers: [entryOf(printer, { host: '127.0.0.1', ports: { ...printer.ports, ftps: door.port } })]
  })
  const { out } = await prnd(t, ['doctor', '-c', file, '--json'])
  t.match((JSON.parse(out) as Shown).printers[0]?.checks.find(({ name }) => name === 'ftps'), {
    status: 'failed',
    detail: /too many clients are connected.*\(421 There are too many connected users, please try later\.\); tried again after 2 s$/,
    fix: 'Too many programs may be connected: close some, then try again.'
  })
})

parallel('one printer is off, and one is another than was meant', async t => {
  const good = await startPrinter(t, 'P1S', 'good')
  const gone = await startPrinter(t, 'P1S', 'gone')
  const { file } = await configured(t, {
    ports: pool(1),
    printers: [
      entryOf(good),
      entryOf(gone),
      entryOf(good, { name: 'wrong serial', serial: '01P00A999999999' })
    ]
  })
  await gone.stop()
  const { code, out } = await prnd(t, ['doctor', '-c', file, '--json'])
  t.equal(code, 1)
  const report = JSON.parse(out) as Shown
  t.equal(report.healthy, false)
  const [first, second, third] = report.printers
  t.match(statuses(first?.checks ?? []), { mqtt: 'ok', ftps: 'ok', camera: 'ok', session: 'ok' })
  t.match(statuses(second?.checks ?? []), { mqtt: 'failed', ftps: 'failed', camera: 'failed', session: 'skipped' })
  t.match(second?.checks.find(({ name }) => name === 'mqtt'),
    { detail: /nothing answers on that port/, fix: /^Switch it on, compare the address/ })
  t.match(third?.checks.find(({ name }) => name === 'mqtt'),
    { status: 'failed', detail: /identifies itself as '\*{11}\w{4}', not as '\*{11}9999'/, fix: /Compare serial number/ })
  t.notMatch(out, good.serial)
})

parallel('a code that is refused, and a certificate that changed', async t => {
  const printer = await startPrinter(t, 'P1S', 'it')
  const wrong = await configured(t, { ports: pool(2), printers: [entryOf(printer, { accessCode: '87654321' })] })
  const refused = await prnd(t, ['doctor', '-c', wrong.file])
  t.equal(refused.code, 1)
  t.match(refused.out, /FAIL {2}session.*rejected the access code.*\n.*do: Read the current access code on its screen/)
  t.notMatch(refused.out, '87654321')
  const { fingerprint } = printer
  const pinned = await configured(t, { ports: pool(2), printers: [entryOf(printer, { tls: { fingerprint } })] })
  await printer.faults.changeCertificate()
  const changed = await prnd(t, ['doctor', '-c', pinned.file])
  t.equal(changed.code, 1)
  t.match(changed.out, /FAIL {2}mqtt.*differs from the one pinned on first connection/)
  t.match(changed.out, /do: If it was reset or got new firmware: prnd printers test it --accept-certificate/)
})

parallel('the machine: decoder, ports, data folder, a file that is wrong', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const x1 = { name: 'x', host: 'localhost', serial: '00M00A123456789', accessCode: CODE, ports: { mqtt: 1, ftps: 1, rtsps: 1 } }
  const plugins = { slicing: { prusaSlicer: '/no/such/slicer', orcaSlicer: '/no/such/orca' } }
  const { file } = await configured(t, { printers: [x1], ports: { ...pool(3), preferred: port }, plugins })
  const { code, out } = await prnd(t, ['doctor', '-c', file, '--json'], { PRN_FFMPEG: '/no/such/ffmpeg' })
  t.equal(code, 1)
  const { checks, printers } = JSON.parse(out) as Shown
  t.match(checks.find(({ name }) => name === 'decoder'), { status: 'failed', detail: /PRN_FFMPEG names '\/no\/such\/ffmpeg'/ })
  t.match(checks.find(({ name }) => name === 'slicer'), { status: 'failed', detail: /prusaSlicer names '\/no\/such\/slicer'.*orcaSlicer names '\/no\/such\/orca'/ })
  const wanted = checks.find(({ name }) => name === 'ports')
  t.match(wanted, { status: 'failed', detail: `the requested port ${port} is in use (EADDRINUSE)` })
  t.match(statuses(printers[0]?.checks ?? []), { rtsps: 'failed' })
  t.notOk(printers[0]?.checks.some(({ name }) => name === 'camera'), 'the other kind of camera is not looked for')

  const nowhere = await prnd(t, ['doctor', '-c', file, '--json'], { PRN_API_HOST: '203.0.113.9' })
  t.match((JSON.parse(nowhere.out) as Shown).checks.find(({ name }) => name === 'ports'),
    { status: 'failed', detail: /is not an address of this machine/ })
  const open = await prnd(t, ['doctor', '-c', file, '--json'], { PRN_API_HOST: '0.0.0.0', PRN_API_PORT: '1' })
  t.match((JSON.parse(open.out) as Shown).checks.find(({ name }) => name === 'access'), { status: 'warning', fix: /PRN_API_TOKEN/ })
  const bad = await configured(t, { printer: [] })
  t.match(await prnd(t, ['doctor', '-c', bad.file]),
    { code: 1, out: /FAIL {2}configuration.*printer.*did you mean 'printers'.*\n.*do: Correct the file/ })
})

parallel('a running service is asked, and keeps its sessions', async t => {
  const printer = await startPrinter(t, 'P1S', 'good')
  const { file } = await configured(t, { printers: [entryOf(printer)], ports: pool(4) })
  const service = daemon(t, file)
  await eventually(() => service.stdout().includes('/mcp'), 30_000)
  service.child.kill('SIGSTOP') // as slow as one on a busy machine
  setTimeout(() => service.child.kill('SIGCONT'), 3_000)
  const { code, out } = await prnd(t, ['doctor', '-c', file])
  t.equal(code, 0, out)
  t.match(out, /a service with this configuration runs on port \d+$/m)
  t.match(out, /ok {4}session {8}connected/)
  service.child.kill('SIGTERM')
  await service.gone
})

parallel('a server of the fleet that says nothing does not hold the report up', async t => {
  const silent = createServer().listen(0, '127.0.0.1')
  t.teardown(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { file } = await configured(t, {
    ports: pool(6),
    plugins: { fleet: { servers: [`nats://127.0.0.1:${port}`] } }
  })
  const { code, out, err } = await prnd(t, ['doctor', '-c', file, '--json'])
  t.equal(code, 1, err)
  t.match((JSON.parse(out) as Shown).checks.find(({ name }) => name === 'fleet'), {
    status: 'failed', detail: 'no answer within 5 s', fix: /plugins\.fleet/
  })
})

t.test('what is masked', t => {
  t.equal(maskedSerial('00M00A123456789'), '***********6789')
  t.equal(maskedSerial('ABC'), '*')
  const redact = (text: string) => text.replaceAll('code', '***')
  const toShow = redactReport({ serials: ['S1', 'LONGSERIAL'], hosts: ['10.0.0.5', '10.0.0.55', '127.0.0.1'], redact })
  t.equal(toShow('10.0.0.55 and 10.0.0.5, LONGSERIAL, 01P00A999999999, code, 127.0.0.1'),
    '(address) and (address), ******RIAL, ***********9999, ***, 127.0.0.1')
  t.same(everyText({ a: ['x', 1, null, { b: 'x' }] }, text => `${text}!`), { a: ['x!', 1, null, { b: 'x!' }] })
  t.end()
})
