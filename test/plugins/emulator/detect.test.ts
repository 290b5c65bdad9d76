import t from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { ownPorts } from '../../helpers/ports.js'
import { detect, dial } from '../printer-servers/detect-client.js'
import { bench } from './listener.js'

t.test('a virtual printer says which it is, to clients without its access code', async t => {
  const { printer, send, settle } = await bench(t, { model: 'A1_MINI', name: 'Tiny', serial: '03000A000000001', accessCode: 'aB3dEf7h' })
  const { detect: port, detectTls } = printer.detectPorts
  const plain = await detect({ port })
  t.match(plain.replies, [{
    bind: 'free', command: 'detect', connect: 'lan', dev_cap: 1, id: '03000A000000001', model: 'N1', name: 'Tiny', version: /^\d\d(\.\d\d){3}$/
  }])
  t.notMatch(JSON.stringify(plain), 'aB3dEf7h')
  const secure = await detect({ port: detectTls, isSecure: true })
  t.same(secure, { replies: plain.replies, fingerprint: printer.fingerprint })
  await send({ update: { name: 'Bertha', sequence_id: '7' } })
  await settle()
  t.match((await detect({ port })).replies, [{ name: 'Bertha' }], 'by the name that it was given')
})

t.test('it is off while the printer is off, and comes back on the same ports', async t => {
  const { start } = ownPorts(20, 2)
  const printer = createVirtualPrinter({ model: 'P1S', ports: { detect: start, detectTls: start + 1 } })
  t.same(printer.detectPorts, { detect: start, detectTls: start + 1 })
  await printer.start()
  t.teardown(() => printer.stop())
  t.equal((await detect({ port: start })).replies.length, 1)
  await printer.stop()
  for (const port of [start, start + 1]) await t.rejects(dial({ port }), { code: 'ECONNREFUSED' })
  await printer.start()
  t.equal((await detect({ port: start + 1, isSecure: true })).fingerprint, printer.fingerprint)
  const fingerprint = await printer.faults.changeCertificate()
  t.equal((await detect({ port: start + 1, isSecure: true })).fingerprint, fingerprint)
})

t.test('a printer whose port is taken does not start, and leaves no port open', async t => {
  const { start } = ownPorts(24, 2)
  const first = createVirtualPrinter({ model: 'P1S', ports: { detect: start } })
  await first.start()
  t.teardown(() => first.stop())
  const second = createVirtualPrinter({ model: 'P1S', name: 'second', ports: { detect: start, mqtt: start + 1 } })
  await t.rejects(second.start(), { code: 'EADDRINUSE' })
  await t.rejects(dial({ port: start + 1 }), { code: 'ECONNREFUSED' })
})
