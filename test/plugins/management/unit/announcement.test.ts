import t from 'tap'
import { answer, notice } from '../../../../plugins/printer-servers/announce.js'
import { readAnnouncement, SEARCH } from '../../../../plugins/management/announcement.js'

const printer = { serial: '01P00A000000001', address: '192.168.1.50', code: 'C12', firmware: '01.07.00.00', name: () => 'Werkstatt ü' }
const read = (text: string | Uint8Array) =>
  readAnnouncement(typeof text === 'string' ? Buffer.from(text) : text, '10.0.0.9')

const EXPECTED = {
  kind: 'here',
  printer: {
    name: 'Werkstatt ü',
    ip: '192.168.1.50',
    serial: '01P00A000000001',
    model: 'C12',
    model_decoded: 'P1S',
    bind_state: 'free',
    connect_state: 'lan',
    firmware_version: '01.07.00.00'
  }
}

t.test('an announcement, and the answer to a search', async t => {
  t.same(read(notice(printer, 'ssdp:alive')), EXPECTED)
  t.same(read(answer(printer)), EXPECTED)
  t.same(read(notice(printer, 'ssdp:byebye')), { kind: 'gone', serial: printer.serial, ip: '192.168.1.50' })
})

t.test('letter case, line ends and order do not matter, nor what else stands there', async t => {
  const text = notice(printer, 'ssdp:alive').toString()
  t.same(read(text.replaceAll('\r\n', '\n').toLowerCase().replace('01p00a000000001', printer.serial).replace('c12', 'C12').replace('werkstatt', 'Werkstatt')), EXPECTED)
  const [first = '', ...rest] = text.trimEnd().split('\r\n')
  t.same(read([first, ...rest.reverse(), 'X-New: 1', 'nonsense', ':', ''].join('\r\n')), EXPECTED)
})

t.test('the least that is said of a printer', async t => {
  const least = (nt: string) => `NOTIFY * HTTP/1.1\r\nUSN: S1\r\n${nt}: urn:bambulab-com:device:3dprinter:1\r\n\r\n`
  for (const nt of ['NT', 'ST']) {
    t.match(read(least(nt)), { kind: 'here', printer: { serial: 'S1', ip: '10.0.0.9', name: '', model_decoded: 'UNKNOWN' } })
  }
})

t.test('the address: bare, in a URL, or that of the sender', async t => {
  const at = (location: string) =>
    (read(notice({ ...printer, address: location }, 'ssdp:alive')) as typeof EXPECTED).printer.ip
  t.equal(at('http://192.168.1.51:80/x'), '192.168.1.51')
  for (const odd of ['', 'example.com', '999.1.1.1', 'http://[', 'javascript:alert(1)']) t.equal(at(odd), '10.0.0.9', odd)
})

t.test('a prefix that models share: the announced code decides', async t => {
  const model = (serial: string, code: string) =>
    (read(notice({ ...printer, serial, code }, 'ssdp:alive')) as typeof EXPECTED).printer.model_decoded
  t.equal(model('094000000000001', 'O1D'), 'H2D')
  t.equal(model('094000000000001', 'O1S'), 'H2S')
  t.equal(model('094000000000001', '?'), 'H2D')
  t.equal(model('00M000000000001', 'C12'), 'X1C', 'elsewhere the serial number does')
  t.equal(model('ZZZ000000000001', 'N1'), 'A1_MINI')
})

t.test('what others send on that port is left alone', async t => {
  for (const text of ['', 'x', SEARCH, 'HTTP/1.1 404 Not Found\r\nUSN: S1\r\n\r\n',
    'NOTIFY * HTTP/1.1\r\nNT: upnp:rootdevice\r\nUSN: uuid:1\r\n\r\n',
    'NOTIFY * HTTP/1.1\r\nNT: urn:bambulab-com:device:3dprinter:1\r\n\r\n']) t.equal(read(text), undefined)
})

t.test('damaged datagrams never throw, and what is read is bounded', async t => {
  let seed = 42
  const random = (below: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31; return seed % below }
  const whole = notice(printer, 'ssdp:alive')
  let here = 0
  for (let round = 0; round < 3_000; round++) {
    const bytes = Buffer.from(whole)
    for (let change = random(8); change >= 0; change--) bytes[random(bytes.length)] = random(256)
    const cuts = [bytes.subarray(0, random(bytes.length)), Buffer.concat([bytes, bytes])]
    const found = read(cuts[round % 3] ?? bytes)
    if (found?.kind !== 'here') continue
    here++
    if (Object.values(found.printer).some(value => value.length > 256)) t.fail('too long')
    if (found.printer.serial === '') t.fail('a printer without a serial number')
  }
  t.ok(here > 100, `${here} were still printers`)
  const long = read(notice({ ...printer, name: () => 'n'.repeat(60_000) }, 'ssdp:alive')) as typeof EXPECTED
  t.equal(long.printer.name.length, 256)
})
