import t from 'tap'
import { decodeTag } from '../../../../plugins/spool-tags/decode-tag.js'
import { encodeTag } from '../../../../plugins/spool-tags/encode-tag.js'
import { decodeNdef, encodeMemory, encodeNdef, messageIn, mimeRecord, uriRecord } from '../../../../plugins/spool-tags/ndef.js'
import { encodeOpenTag3d } from '../../../../plugins/spool-tags/open-tag3d.js'
import { TAG_FORMATS } from '../../../../plugins/spool-tags/tag-formats.data.js'
import { tagNumber, tagRange, tagText, textWithin } from '../../../../plugins/spool-tags/tag-text.js'
import type { TagContent } from '../../../../plugins/spool-tags/types.js'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')

/** From the repository of the format, tests/encode_decode/01: a tag of Prusament as it is sold, 312 bytes. */
const PRUSAMENT = bytes(`
  e140270103ff012f 910117550433647461672e6f72672f732f33333463353466303838
  521cf5 6170706c69636174696f6e2f766e642e6f70656e7072696e74746167
  a10218d2
  bf041b000007d0fcab45f9056a33333463353466303838080009000a76504c412050727573612047616c61787920426c61636b0b6950727573616d656e74
  0e1a68d3c7d7101903e8111903f41219011813443d3e3dff181c9f17ff181df93cf6182218cd182318e1182418aa182518281826183c1827121828182818
  2914182a1840182b18c8182c1864182d183418389f0001ffff ${'00'.repeat(57)}
  a0 ${'00'.repeat(34)} fe`)
/** From the same place, 03: what a printer noted about its use. */
const USED = bytes(`
  a10218ea
  bf041b000007d0fcab465c056a37616232616362353039080009010a6e50455447204a657420426c61636b0e1a68c01ae7101903e81119041a1219011813
  4324292a181c9fff181df93d14182218f0182318d2182419012c182518461826185a1827185a1828183c18291823182a1840182b18c8182c1864182d18d2
  ff ${'00'.repeat(105)}
  bf001901bc01666d79686f6d65ff ${'00'.repeat(21)}`)
/** The example of the protocol. */
const OPEN_SPOOL = `{
    "protocol": "openspool",
    "version": "1.0",
    "type": "PLA",
    "color_hex": "FFAABB",
    "brand": "Generic",
    "min_temp": "220",
    "max_temp": "240"
}`

const CONTENT: TagContent = {
  brand: 'Prusament',
  name: 'Galaxy Black',
  material: 'PLA-CF',
  color: '#3D3E3D',
  colorName: 'black',
  nozzleC: [205, 225],
  bedC: [55, 55],
  netGrams: 1000,
  usedGrams: 360.5,
  diameterMm: 1.75,
  density: 1.24,
  spool: 's1a2b3c4',
  serial: ''
}
const ADDRESS = 'http://192.168.1.5:49152/spools/s1a2b3c4'

t.test('a tag of Prusament is read as its maker describes it', async t => {
  t.equal(PRUSAMENT.length, 312)
  const { tags, types, addressed } = decodeTag(PRUSAMENT)
  t.same(types, ['U', 'application/vnd.openprinttag'])
  t.equal(addressed, '')
  t.match(tags, [{
    format: 'openprinttag',
    facts: {
      brand: 'Prusament',
      name: 'PLA Prusa Galaxy Black',
      material: 'PLA',
      color: '#3D3E3D',
      nozzleC: [205, 225],
      bedC: [40, 60],
      netGrams: 1012,
      usedGrams: undefined,
      diameterMm: 1.75,
      density: 1.24,
      spool: ''
    },
    warnings: []
  }])
})

t.test('an address names the id of an imported spool, with dots and colons', async t => {
  const addressed = (path: string) => decodeTag(encodeNdef([uriRecord(`http://192.168.1.5:49152${path}`)])).addressed
  t.equal(addressed('/spools/box.7%3A2'), 'box.7:2')
  t.equal(addressed('/spools/box.7:2'), 'box.7:2')
  t.equal(addressed('/spools/..'), '')
  t.equal(addressed(`/spools/${'a'.repeat(65)}`), '')
})

t.test('what a printer noted, and a range the wrong way round, is read', async t => {
  const { tags } = decodeTag(encodeNdef([mimeRecord('application/vnd.openprinttag', USED)]))
  t.match(tags, [{ facts: { name: 'PETG Jet Black', material: 'PETG', netGrams: 1050, usedGrams: 444, nozzleC: [210, 240] } }])
})

t.test('the example of OpenSpool is read', async t => {
  const { tags } = decodeTag(encodeMemory(encodeNdef([mimeRecord('application/json', Buffer.from(OPEN_SPOOL))])))
  t.match(tags, [{
    format: 'openspool',
    version: '1.0',
    facts: { brand: 'Generic', material: 'PLA', color: '#FFAABB', nozzleC: [220, 240], bedC: undefined, netGrams: undefined }
  }])
})

t.test('OpenTag3D has its fields where the table of the specification has them', async t => {
  const payload = Buffer.from(encodeOpenTag3d({ ...CONTENT, nozzleC: [200, 220] }))
  t.equal(payload.length, 0xbb)
  t.equal(payload.readUInt16BE(0x00), 1000, 'version 1.000')
  t.same(payload.subarray(0x02, 0x0c).toString('latin1'), 'PLA\0\0CF\0\0\0')
  t.equal(payload.subarray(0x1b, 0x2b).toString('latin1').split('\0')[0], 'Prusament')
  t.equal(payload.subarray(0x2b, 0x4b).toString('latin1').split('\0')[0], 'black')
  t.same([...payload.subarray(0x4b, 0x4f)], [0x3d, 0x3e, 0x3d, 0xff])
  t.same([...payload.subarray(0x50, 0x5c)], Array(12).fill(0), 'no further colours')
  t.equal(payload.readUInt16BE(0x5c), 1750)
  t.equal(payload.readUInt16BE(0x5e), 1000)
  t.equal(payload[0x60], 42, '42 is 210 °C')
  t.equal(payload[0x61], 11)
  t.equal(payload.readUInt16BE(0x62), 1240)
  t.equal(payload.subarray(0x90, 0xa0).toString('latin1').split('\0')[0], 's1a2b3c4')
  t.same([payload[0xb4], payload[0xb5]], [40, 44])
})

t.test('OpenTag3D of a later release is read with a note, or not at all', async t => {
  const readAs = (version: number, length = 0xbb) => {
    const payload = Buffer.from(encodeOpenTag3d(CONTENT)).subarray(0, length)
    payload.writeUInt16BE(version)
    return decodeTag(encodeNdef([mimeRecord('application/opentag3d', payload)])).tags
  }
  t.match(readAs(1000), [{ version: '1.000', warnings: [] }])
  t.match(readAs(1010), [{ version: '1.010', warnings: [/version 1.010/] }])
  t.match(readAs(10), [{ warnings: [/before the first release/] }])
  t.same(readAs(2000), [])
  t.match(readAs(1000, 0x70), [{ facts: { material: 'PLA-CF', spool: '', nozzleC: [215, 215] }, warnings: [] }], 'the core alone')
})

t.test('what is written is read again, from the message, the memory and a dump of the whole tag', async t => {
  for (const { id } of TAG_FORMATS) {
    const { message, memory, fits, records } = encodeTag(id, CONTENT, ADDRESS)
    t.ok(fits.length > 0, `${id}: ${memory.length} bytes`)
    t.equal(records.length, 2)
    const head = bytes(id === 'openprinttag' ? '' : '04a1b2c3 d4e5f680 00000000 e1103e00') // pages 0 to 3 of NTAG chips
    for (const dump of [message, memory, Buffer.concat([head, memory]), Buffer.concat([memory, Buffer.alloc(100)])]) {
      const { tags: [tag], addressed } = decodeTag(dump)
      t.equal(addressed, 's1a2b3c4', id)
      const facts = { brand: 'Prusament', color: '#3D3E3D', nozzleC: [205, 225], spool: 's1a2b3c4' }
      t.match(tag, { format: id, facts, warnings: [] })
    }
  }
  const [printTag] = decodeTag(encodeTag('openprinttag', CONTENT, ADDRESS).memory).tags
  t.match(printTag?.facts, { name: 'Galaxy Black', material: 'PLA', bedC: [55, 55], netGrams: 1000, usedGrams: 360.5, density: 1.24 })
})

t.test('texts that are too long or hostile are cut, and numbers out of range left out', async t => {
  const long = { ...CONTENT, name: '漢字'.repeat(60), brand: 'é'.repeat(90), material: 'X'.repeat(60), netGrams: 1e9 }
  for (const { id } of TAG_FORMATS) {
    const { tags: [tag] } = decodeTag(encodeTag(id, long, ADDRESS).memory)
    t.equal(tag?.format, id)
    t.notMatch(tag?.facts.name, /\ufffd/, 'no half letters')
  }
  t.equal(textWithin('漢字', 5), '漢')
  t.equal(tagText('a\u0000b\u202e\n'), 'ab')
  t.same(['', '5', NaN, 10, {}].map(value => tagNumber(value, 0, 9)), [undefined, 5, undefined, undefined, undefined])
  t.same([tagRange(undefined, 5), tagRange(9, 5), tagRange(undefined, undefined)], [[5, 5], [5, 9], undefined])
})

t.test('records are framed as the NFC Forum has it', async t => {
  const address = uriRecord('https://www.example.test/a')
  t.equal(Buffer.from(encodeNdef([address])).toString('hex'), `d1010f5502${Buffer.from('example.test/a').toString('hex')}`)
  t.equal(Buffer.from(decodeNdef(encodeNdef([address]))[0]?.payload ?? []).toString(), 'https://www.example.test/a')
  const large = mimeRecord('a/b', Buffer.alloc(300, 7))
  t.same(decodeNdef(encodeNdef([large, address])).map(({ kind, payload }) => [kind, payload.length]), [['mime', 300], ['uri', 26]])
  t.equal(Buffer.from(encodeMemory(Buffer.alloc(300))).subarray(0, 4).toString('hex'), '03ff012c')
  t.equal(messageIn(bytes('fe03010203')), undefined, 'nothing is read behind the end')
  t.equal(messageIn(bytes('0103a0100e 0302 d000 fe'))?.length, 2, 'blocks about locks are skipped')
  t.equal(messageIn(bytes('03ff')), undefined)
  t.equal(messageIn(Buffer.alloc(5_000, 3)), undefined, 'no tag is that large')
  t.same(decodeNdef(bytes('d10155')), [], 'a record that is cut off')
})

/** The same numbers at each run. */
function numbersFrom (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

t.test('5,000 damaged tags are read without an error, and say nothing too long', async t => {
  const next = numbersFrom(7)
  const samples = [
    PRUSAMENT, encodeNdef([mimeRecord('application/vnd.openprinttag', USED)]),
    ...TAG_FORMATS.map(({ id }) => encodeTag(id, CONTENT, ADDRESS))
      .flatMap(({ memory, message }) => [memory, message])
  ]
  let known = 0
  for (let round = 0; round < 5_000; round++) {
    const damaged = Buffer.from(samples[round % samples.length] as Uint8Array)
    for (let changes = next(4); changes >= 0; changes--) damaged[next(damaged.length)] = next(256)
    const cut = next(5) === 0 ? damaged.subarray(0, next(damaged.length)) : damaged
    const { tags, types, addressed } = decodeTag(cut)
    known += tags.length
    for (const { facts } of tags) {
      const { nozzleC = [], bedC = [], netGrams, usedGrams, diameterMm, density } = facts
      const texts = [facts.brand, facts.name, facts.material, facts.color, facts.spool, facts.serial]
      if (texts.some(text => typeof text !== 'string' || text.length > 70 || /\p{Cc}/u.test(text))) t.fail(JSON.stringify(facts))
      const numbers = [netGrams, usedGrams, diameterMm, density, ...nozzleC, ...bedC]
      if (numbers.some(value => value !== undefined && !Number.isFinite(value))) t.fail(JSON.stringify(facts))
    }
    if (types.length > 32 || addressed.length > 64) t.fail('too much')
  }
  t.ok(known > 1_000, `${known} of them could still be read`)
})

t.test('deeply nested data is no way to stop the service', async t => {
  const nested = Buffer.concat([Buffer.alloc(505, 0x9f), Buffer.of(0)])
  const payload = Buffer.concat([bytes('a0bf'), Buffer.of(0x08, 0x00, 0x0a), nested])
  t.same(decodeTag(encodeNdef([mimeRecord('application/vnd.openprinttag', payload)])).tags, [])
  const huge = bytes('a0bb7fffffffffffffff0000')
  t.same(decodeTag(encodeNdef([mimeRecord('application/vnd.openprinttag', huge)])).tags, [])
})
