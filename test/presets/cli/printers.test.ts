import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { build } from '../../outside/installed.js'
import { configured, entryOf, off, parallelIn, prnd } from '../prnd.js'

t.before(build)
const parallel = parallelIn(t)

async function startPrinter (t: Test): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model: 'X1C', name: 'x1c' })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

parallel('printers test: what is well, and what each thing that is not means', async t => {
  const printer = await startPrinter(t)
  const { file } = await configured(t, {
    printers: [
      entryOf(printer),
      entryOf(printer, { name: 'wrong code', accessCode: '87654321', serial: printer.serial }),
      entryOf(printer, { name: 'wrong serial', serial: '00M00A999999999' }),
      off
    ]
  })
  const test = (name: string, ...more: string[]) => prnd(t, ['printers', 'test', name, '-c', file, ...more])
  t.match(await prnd(t, ['printers', 'test', 'x1', '-c', file]), {
    code: 1, err: "There is no printer 'x1' in the configuration; did you mean 'x1c'? [PRN_ERR_BAD_INPUT]\n"
  })
  t.match(await test('wrong serial'), { code: 1, out: /^wrong serial: .* identifies itself as '.*', not as '00M00A999999999'\./ })
  t.match(await test('off'), { code: 1, out: /^off: 127\.0\.0\.1:1: nothing answers on that port/ })
})

parallel('printers test: access codes, and a certificate that changes', async t => {
  const printer = await startPrinter(t)
  const good = await configured(t, { printers: [entryOf(printer, { serial: printer.serial.toLowerCase() })] })
  const test = (...more: string[]) => prnd(t, ['printers', 'test', 'x1c', '-c', good.file, ...more])
  t.match(await test(), { code: 0, out: /^x1c: connected, X1C, firmware \d[\d.]+, IDLE$/m, err: '' })
  const bad = await configured(t, { printers: [entryOf(printer, { accessCode: '87654321' })] })
  t.match(await prnd(t, ['printers', 'test', 'x1c', '-c', bad.file]), { code: 1, out: /^x1c: .* rejected the access code/ })

  const { fingerprint } = printer
  await printer.faults.changeCertificate()
  t.not(printer.fingerprint, fingerprint)
  const refused = await test()
  t.equal(refused.code, 1)
  t.match(refused.out, /^x1c: The certificate of .* differs from the one pinned on first connection\..*printers test x1c --accept-certificate/)
  t.match(await test('--accept-certificate'), { code: 0, out: /^x1c: connected/ })
  t.match(await test(), { code: 0, out: /^x1c: connected/ }, 'for good')

  const pinned = await configured(t, { printers: [entryOf(printer, { tls: { fingerprint } })] })
  t.match(await prnd(t, ['printers', 'test', 'x1c', '-c', pinned.file, '--accept-certificate']), {
    code: 1, out: /The expected fingerprint is set in the configuration \(this printer's tls\.fingerprint\)/
  })
  t.notMatch(await readFile(good.file, 'utf8'), '12345678', 'the code was moved at the first start')
})
