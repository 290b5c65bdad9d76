import { createServer } from 'node:http'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openPrinterConfigStore } from '../../../core/index.js'
import { createVirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { boot } from '../../helpers/boot.js'
import { build, run } from '../../outside/installed.js'
import { preset } from '../../plugins/management/preset.js'
import { CLI, configured, off, parallelIn, prnd } from '../prnd.js'

t.before(build)
const parallel = parallelIn(t)
const CODE = '87654321'

async function printerFor (t: Test, options: Partial<VirtualPrinterOptions> = {}) {
  const printer = createVirtualPrinter({ model: 'P1S', name: 'stranger', accessCode: CODE, ...options })
  await printer.start()
  t.teardown(() => printer.stop())
  const { host, serial, ports } = printer
  return { printer, where: ['--host', host, '--serial', serial, '--mqtt-port', String(ports.mqtt)] }
}

/** A port range in which nobody runs a service: the command line then works alone. */
const ALONE = { PRN_PORT_POOL_START: '1', PRN_PORT_POOL_END: '1' }

parallel('printers add and remove without a service', async t => {
  const { printer, where } = await printerFor(t)
  const { file, folder } = await configured(t, { printers: [off] })
  const add = (name: string, args: readonly string[], env = {}) =>
    prnd(t, ['printers', 'add', name, ...where, '-c', file, ...args], { ...ALONE, ...env })
  const added = await add('shop', ['--code-env', 'SHOP'], { SHOP: CODE })
  t.equal(added.code, 0, added.err)
  t.equal(added.out, `Printer 'shop' added to ${file}.\n`)
  t.match(added.err, /^Connecting to 127\.0\.0\.1:\d+ …\nSigned in; waiting for the first report …\nStored …$/m)
  t.notMatch(added.out + added.err + await readFile(file, 'utf8'), CODE)
  t.match(await readFile(join(folder, 'data', 'secrets', 'printers.json'), 'utf8'), CODE)
  t.match(await prnd(t, ['printers', 'list', '-c', file], ALONE), { code: 0, out: /^off .*\nshop .*$/m })
  t.match(await add('again', ['--code-env', 'SHOP'], { SHOP: CODE }),
    { code: 1, out: '', err: new RegExp(`number ${printer.serial} is already configured as 'shop'`) })
  t.match(await prnd(t, ['printers', 'remove', 'shop', '-c', file], ALONE),
    { code: 0, out: "Printer 'shop' removed and its access code erased.\n" })
  t.notMatch(await readFile(join(folder, 'data', 'secrets', 'printers.json'), 'utf8'), CODE)
})

parallel('where the access code comes from, and what goes wrong', async t => {
  const { where } = await printerFor(t)
  const { file, folder } = await configured(t, {})
  const base = ['printers', 'add', 'shop', ...where, '-c', file]
  await writeFile(join(folder, 'code'), '11111111\n')
  const wrong = await prnd(t, [...base, '--code-file', join(folder, 'code')], ALONE)
  t.match(wrong, { code: 1, out: '', err: /^Nothing was saved for 'shop': .*access code.* \[PRN_ERR_NOT_ADMITTED\]$/m })
  t.notMatch(wrong.err, '11111111')
  t.match(await prnd(t, base, ALONE), { code: 1, err: /No access code was read from standard input/ })
  t.match(await prnd(t, [...base, '--code-env', 'A', '--code-file', 'b'], ALONE), { code: 1, err: /not both/ })
  const piped = run(t, [CLI, ...base], { env: ALONE })
  piped.child.stdin?.end(`${CODE}\n`)
  t.same(await piped.gone, [0, null], piped.stderr())
  t.match(await prnd(t, ['printers', 'add', 'far', '--host', '127.0.0.1', '--serial', 'S9', '--mqtt-port', '1', '-c', file,
    '--code-env', 'C'], { ...ALONE, C: CODE }), {
    code: 0, out: `Printer 'far' added to ${file}.\n`, err: /^Warning: the printer was saved but cannot be reached now: /m
  })
})

parallel('ten commands at once, beside a process that changes the same file: nothing is lost', async t => {
  const { file, folder } = await configured(t, {})
  const dataDir = join(folder, 'data')
  const book = openPrinterConfigStore(file, dataDir, message => t.fail(message))
  const names = Array.from({ length: 10 }, (_, at) => `p${at}`)
  const adding = Promise.all(names.map(name => prnd(t, ['printers', 'add', name, '--host', '127.0.0.1',
    '--serial', `S${name}`, '--mqtt-port', '1', '-c', file, '--code-env', 'C'], { ...ALONE, C: `code-${name}` })))
  const others: string[] = []
  for (let over = false; !over;) {
    const name = `o${others.length}`
    await book.save({ name, host: '127.0.0.1', serial: `S${name}` }, `code-${name}`)
    others.push(name)
    over = await Promise.race([adding.then(() => true), sleep(20, false)])
  }
  for (const { code, err } of await adding) t.match({ code, err }, { code: 0, err: /^Warning: the printer was saved but cannot/m })
  const all = [...names, ...others].sort()
  const { printers } = JSON.parse(await readFile(file, 'utf8'))
  t.same(printers.map(({ name }: { name: string }) => name).sort(), all)
  const { accessCodes } = JSON.parse(await readFile(join(dataDir, 'secrets', 'printers.json'), 'utf8'))
  t.same(accessCodes, Object.fromEntries(all.map(name => [`S${name}`.toUpperCase(), `code-${name}`])))
})

parallel('a running service does it instead, and each printer keeps one session', async t => {
  const { printer, where } = await printerFor(t)
  const { file, folder } = await configured(t, {})
  const { kernel } = await boot(t, {
    models: [], preset, listen: true, config: { dataDir: join(folder, 'data'), api: { host: '127.0.0.1' } }, dependencies: { configFile: file }
  })
  const env = { PRN_PORT_POOL_START: String(kernel.apiPort), PRN_PORT_POOL_END: String(kernel.apiPort), C: CODE }
  const added = await prnd(t, ['printers', 'add', 'shop', ...where, '-c', file, '--code-env', 'C'], env)
  t.equal(added.code, 0, added.err)
  t.equal(added.out, `Printer 'shop' added; the service on port ${kernel.apiPort} is connected to it.\n`)
  t.match(added.err, /^Connecting to .* …$/m)
  t.same(kernel.printers.names, ['shop'])
  const session = kernel.printers.get('shop')
  t.match(await prnd(t, ['printers', 'list', '-c', file], env), { code: 0, out: /^shop .* CONNECTED$/m })
  t.match(await prnd(t, ['printers', 'test', 'shop', '-c', file], env), { code: 0, out: /^shop: connected, P1S/ })
  t.equal(kernel.printers.get('shop'), session)
  await printer.faults.changeCertificate()
  t.match(await prnd(t, ['printers', 'test', 'shop', '-c', file, '--accept-certificate'], env), { code: 0, out: /connected/ })
  t.equal(kernel.pins.get(printer.serial), printer.fingerprint)
  t.match(await prnd(t, ['printers', 'remove', 'shop', '-c', file], env), { code: 0 })
  t.same(kernel.printers.names, [])
  t.match(await prnd(t, ['printers', 'add', 'far', '--host', '127.0.0.1', '--serial', 'S9', '--mqtt-port', '1', '-c', file,
    '--code-env', 'C'], env), { code: 0, out: /^Printer 'far' added to /, err: /^Warning: .*cannot be reached now/m })
  t.same(kernel.printers.names, ['far'])
  const other = await configured(t, { printers: [off] })
  t.match(await prnd(t, ['printers', 'remove', 'off', '-c', other.file], env), { code: 0 }, 'one with another file is left alone')
})

parallel('a service that wants a token', async t => {
  const { file, folder } = await configured(t, { printers: [off] })
  const { kernel } = await boot(t, {
    models: [], preset, listen: true, config: { dataDir: join(folder, 'data'), api: { host: '127.0.0.1', token: 'a long secret' } }
  })
  const env = { PRN_PORT_POOL_START: String(kernel.apiPort), PRN_PORT_POOL_END: String(kernel.apiPort) }
  const says = { code: 1, out: '', err: /^A service runs on port \d+ and requires a different token: set PRN_API_TOKEN/ }
  for (const args of [['mcp'], ['printers', 'test', 'off']]) {
    t.match(await prnd(t, [...args, '-c', file], env), says, args.join(' '))
  }
})

parallel('printers discover', async t => {
  const free = createSocket('udp4').bind(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address()
  await new Promise<void>(resolve => free.close(() => resolve()))
  const { file } = await configured(t, { plugins: { management: { discoveryPort: port, oldDiscoveryPort: 1 } } })
  const discover = (...more: string[]) => prnd(t, ['printers', 'discover', '-c', file, '--seconds', '1', ...more])
  t.match(await discover(), { code: 1, out: '', err: /^No printer was found\./m })
  const { printer } = await printerFor(t, { announce: { to: '127.0.0.1', port, everyMs: 50 } })
  const { code, out, err } = await discover()
  t.equal(code, 0, err)
  t.match(out, new RegExp(`^stranger +127\\.0\\.0\\.1 +${printer.serial} +P1S +lan$`, 'm'))
  t.match(err, /Add one with: prnd printers add/)
})

parallel('printers discover asks an address', async t => {
  const { printer } = await printerFor(t)
  const { detect: detectPort, detectTls: detectTlsPort } = printer.detectPorts
  const { file } = await configured(t, { plugins: { management: { detectPort, detectTlsPort } } })
  const ask = (host: string) => prnd(t, ['printers', 'discover', '-c', file, '--host', host])
  const { code, out, err } = await ask('127.0.0.1')
  t.equal(code, 0, err)
  t.match(out, new RegExp(`^stranger +127\\.0\\.0\\.1 +${printer.serial} +P1S +lan$`, 'm'))
  t.match(err, `Add it with: prnd printers add NAME --host 127.0.0.1 --serial ${printer.serial}`)
  t.match(await ask('127.0.0.9'), { code: 1, out: '', err: /^No printer says at 127\.0\.0\.9 which one it is/ })
})

parallel('catalog update', async t => {
  const server = createServer(({ url = '' }, reply) => {
    reply.end(JSON.stringify(url.startsWith('/query')
      ? { data: { device_error: { en: [{ ecode: '0300400C', intro: 'Vendor words' }] } } }
      : { data: [] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { file, folder } = await configured(t, { printers: [off] })
  const { code, out, err } = await prnd(t, ['catalog', 'update', '-c', file, '--url', url])
  t.equal(code, 0, err)
  t.match(out, /^1 fault texts in .*faults\.json/)
  t.match(JSON.parse(await readFile(join(folder, 'data', 'catalogue', 'faults.json'), 'utf8')), { texts: { '0300400C': 'Vendor words' } })
  t.match(await prnd(t, ['catalog', 'update', '-c', file, '--url', 'http://127.0.0.1:9']),
    { code: 1, out: '', err: /^The fault texts could not be fetched: http:\/\/127\.0\.0\.1:9: .* \[PRN_ERR_NO_CATALOGUE\]$/m })
})

parallel('printers import: all are checked before one is added, and one that is refused holds up no other', async t => {
  const [one, other] = [await printerFor(t), await printerFor(t, { serial: '01P00A000000077' })]
  const { file, folder } = await configured(t, { printers: [off] })
  const list = join(folder, 'list.csv')
  const rowOf = (name: string, { host, serial, ports }: typeof one.printer, code = CODE) =>
    `${name},${host},${serial},${code},${ports.mqtt}`
  const head = 'name,host,serial,access_code,mqtt_port'
  await writeFile(list, [head, rowOf('one', one.printer), `off,h,S77,${CODE},1`].join('\n'))
  const run = () => prnd(t, ['printers', 'import', list, '-c', file], ALONE)
  t.match(await run(), { code: 1, out: '', err: /Nothing was imported\. Line 3: there is a printer 'off' already/ })
  await writeFile(list, [head, rowOf('bad', other.printer, '11111111'), rowOf('one', one.printer)].join('\n'))
  const { code, out, err } = await run()
  t.equal(code, 1)
  t.match(out, /^bad: not added: .*access code[^]*^one: added$[^]*^1 of 2 added\. The list holds access codes/m)
  t.notMatch(out + err, /11111111|87654321/)
  t.match(await prnd(t, ['printers', 'list', '-c', file], ALONE), { code: 0, out: /^off .*\none .*$/m })
})
