import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { STANDARD_PORTS, resolvePrinter, resolvePrinters } from '../../../core/kernel/resolve-printers.js'
import { openSecrets } from '../../../core/kernel/secrets.js'
import { testFolder } from '../../helpers/folder.js'

const ENTRY = { name: 'a1', host: '192.0.2.1', serial: '03000A000000001', accessCode: '12345678' }
const secretsOf = (t: Test) => openSecrets(testFolder(t), () => {})

t.test('what is left out is filled in', async t => {
  t.same(await resolvePrinter(ENTRY, 'p', {}, await secretsOf(t)), {
    ...ENTRY, ports: { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 }, tls: { mode: 'pin' }
  })
  t.same(STANDARD_PORTS, { mqtt: 8883, ftps: 990, camera: 6000, rtsps: 322 })
})

t.test('single ports replace the standard ones', async t => {
  const { ports } = await resolvePrinter({ ...ENTRY, ports: { mqtt: 18_883 } }, 'p', {}, await secretsOf(t))
  t.same(ports, { mqtt: 18_883, ftps: 990, camera: 6000, rtsps: 322 })
})

t.test('the serial number is used as the printer writes it', async t => {
  t.equal((await resolvePrinter({ ...ENTRY, serial: ' 03000a000000001 ' }, 'p', {}, await secretsOf(t))).serial, ENTRY.serial)
})

t.test('authorities are read, and mean mode ca', async t => {
  const secrets = await secretsOf(t)
  const ca = join(testFolder(t), 'ca.pem')
  await writeFile(ca, 'PEM')
  t.same((await resolvePrinter({ ...ENTRY, tls: { ca } }, 'p', {}, secrets)).tls, { mode: 'ca', ca: 'PEM' })
  t.same((await resolvePrinter({ ...ENTRY, tls: { ca, mode: 'pin' } }, 'p', {}, secrets)).tls, { mode: 'pin' },
    'another mode wins, and the file is not needed')
})

t.test('mode ca without authorities, or with none that can be read, is refused', async t => {
  const secrets = await secretsOf(t)
  await t.rejects(resolvePrinter({ ...ENTRY, tls: { mode: 'ca' } }, 'printers[2]', {}, secrets), {
    code: 'PRN_ERR_CONFIG', message: "printers[2].tls.ca is required with mode 'ca'"
  })
  await t.rejects(resolvePrinter({ ...ENTRY, tls: { ca: '/none.pem' } }, 'printers[2]', {}, secrets), {
    code: 'PRN_ERR_CONFIG', message: /^printers\[2\]\.tls\.ca: ENOENT/
  })
})

t.test('model and fingerprint come through', async t => {
  const entry = { ...ENTRY, model: 'X1C', tls: { fingerprint: 'ab:cd', mode: 'insecure' as const } }
  t.match(await resolvePrinter(entry, 'p', {}, await secretsOf(t)), {
    model: 'X1C', tls: { mode: 'insecure', fingerprint: 'ab:cd' }
  })
})

t.test('of several printers the one that is wrong is named by its place', async t => {
  const { accessCode: _, ...without } = ENTRY
  await t.rejects(resolvePrinters([ENTRY, { ...without, name: 'b', serial: 'S2' }], {}, await secretsOf(t)), {
    message: /^printers\[1\]\.accessCode is missing/
  })
  t.same(await resolvePrinters([], {}, await secretsOf(t)), [])
})

t.test('a serial number stands once, however it is written', async t => {
  await t.rejects(resolvePrinters([ENTRY, { ...ENTRY, name: 'again', serial: ENTRY.serial.toLowerCase() }], {}, await secretsOf(t)), {
    code: 'PRN_ERR_CONFIG', message: /printers\[1\]\.serial: 'again' has the serial number of '.+'.*remove one of the two/
  })
})
