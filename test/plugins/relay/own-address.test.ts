import { networkInterfaces } from 'node:os'
import t from 'tap'
import { withOwnAddress } from '../../../plugins/relay/own-address.js'

/** An address of this machine, whose mask is known. */
const LOOPBACK = { address: '127.0.0.1', rtsps: 322 }
const ELSEWHERE = { address: '192.0.2.77', rtsps: 322 }

const [own] = Object.values(networkInterfaces()).flat().filter(one => one?.address === '127.0.0.1')
const LOOPBACK_MASK = own?.netmask.split('.').reduceRight((word, part) => word * 256 + Number(part), 0)

/** As an X1C reports it; the wired interface is not in use. */
const X1C = '{"print":{"ipcam":{"ipcam_dev":"1","ipcam_record":"enable","timelapse":"disable","resolution":"1080p",' +
  '"rtsp_url":"rtsps://192.168.1.10:322/streaming/live/1","mode_bits":2,"tutk_server":"disable"},' +
  '"net":{"conf":16,"info":[{"ip":167880896,"mask":16777215},{"ip":0,"mask":0}]},"subtask_name":"Würfel","msg":0}}'
/** As a P1S reports it, without a live view. */
const P1S = '{"print":{"net":{"conf":0,"info":[{"ip":1644210368,"mask":16777215}]},"wifi_signal":"-44dBm"}}'

const moved = (text: string, to = ELSEWHERE) => Buffer.from(withOwnAddress(Buffer.from(text), to)).toString()

t.test('reports name the relay in place of the printer', async t => {
  t.equal(moved(X1C), X1C.replace('192.168.1.10', '192.0.2.77').replace('167880896', '1291976896'),
    'the address, as text and with its first part in the lowest byte; all else is as it was')
  t.equal(moved(P1S), P1S.replace('1644210368', '1291976896'))
  t.match(JSON.parse(moved(P1S, LOOPBACK)), { print: { net: { info: [{ ip: 16777343, mask: LOOPBACK_MASK }] } } },
    'the mask is that of the network, where it is known')
})

t.test('spaces, the order of keys and other alphabets are kept', async t => {
  const pretty = JSON.stringify(JSON.parse(X1C), null, 4)
  t.equal(moved(pretty), pretty.replace('192.168.1.10', '192.0.2.77').replace('167880896', '1291976896'))
  const turned = '{"print":{"net" : { "info":[ {"mask":16777215, "ip" :-939415360} ], "conf":1}}}'
  t.equal(moved(turned), turned.replace('-939415360', '1291976896'), 'a printer that takes the number for a signed one')
  const odd = Buffer.concat([Buffer.from([0xFF, 0xFE]), Buffer.from(P1S)])
  t.same(withOwnAddress(odd, ELSEWHERE).subarray(0, 2), odd.subarray(0, 2), 'nor are bytes touched that are no text')
})

t.test('every interface in use leads to the relay', async t => {
  const both = P1S.replace('}]', '},{"ip":1661053120,"mask":16777215}]')
  t.match(JSON.parse(moved(both)), { print: { net: { info: [{ ip: 1291976896 }, { ip: 1291976896 }] } } })
})

t.test('the live view has the port of the relay', async t => {
  const urlAt = (rtsps: number | undefined, url: string) =>
    JSON.parse(moved(`{"ipcam":{"rtsp_url":"${url}"}}`, { address: '192.0.2.77', rtsps } as typeof ELSEWHERE)).ipcam.rtsp_url
  t.equal(urlAt(8322, 'rtsps://192.168.1.10:322/streaming/live/1'), 'rtsps://192.0.2.77:8322/streaming/live/1')
  t.equal(urlAt(8322, 'rtsps://192.168.1.10/streaming/live/1'), 'rtsps://192.0.2.77:8322/streaming/live/1')
  t.equal(urlAt(322, 'rtsps://192.168.1.10/streaming/live/1'), 'rtsps://192.0.2.77/streaming/live/1')
  t.equal(urlAt(undefined, 'rtsps://[fe80::1]:322/streaming/live/1'), 'rtsps://192.0.2.77:322/streaming/live/1')
  t.equal(urlAt(322, 'rtsps:\\/\\/192.168.1.10:322\\/streaming\\/live\\/1'), 'rtsps://192.0.2.77:322/streaming/live/1')
  t.equal(urlAt(322, 'rtsps://bblp:code@192.168.1.10:322/streaming/live/1'), 'rtsps://bblp:code@192.0.2.77:322/streaming/live/1')
  for (const off of ['disable', '']) t.equal(urlAt(322, off), off)
})

t.test('a client of IPv6 is told no other address', async t => {
  t.match(JSON.parse(moved(X1C, { ...ELSEWHERE, address: '2001:db8::7' })), {
    print: {
      net: { info: [{ ip: 0, mask: 0 }, { ip: 0, mask: 0 }] },
      ipcam: { rtsp_url: 'rtsps://[2001:db8::7]:322/streaming/live/1' }
    }
  })
  t.equal(moved(X1C, { ...ELSEWHERE, address: '::ffff:192.0.2.77' }), moved(X1C), 'IPv4 on a port for both')
  t.equal(moved(X1C, { ...ELSEWHERE, address: '' }), X1C, 'a client that has left')
})

t.test('nothing else is taken for an address', async t => {
  for (const other of [
    '{"print":{"wifi_signal":"-44dBm"}}',
    '{"print":{"net":{"conf":16}}}',
    '{"print":{"net":{"conf":16,"info":[]}}}',
    '{"print":{"net":{"conf":16,"info":[{"mask":5}]}}}',
    '{"print":{"net":null,"info":[{"ip":5}]}}',
    '{"print":{"ams":{"info":[{"ip":5,"mask":6}]}}}',
    '{"print":{"subtask_name":"\\"net\\":{\\"info\\":[{\\"ip\\":5}]}","rtsp_url":7}}',
    '{"print":{"net":{"info":[{"ip":',
    '"net"'
  ]) t.equal(moved(other), other)
  const hostile = `{"net":${'{"net":'.repeat(20_000)}${'"info":['.repeat(20_000)}`
  t.equal(moved(hostile), hostile, 'and a long message takes no long time')
})
