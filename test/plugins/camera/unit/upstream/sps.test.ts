import t from 'tap'
import { readSps } from '../../../../../plugins/camera/video/sps.js'

const read = (hex: string) => readSps(Buffer.from(hex, 'hex'))

t.test('size and codec, as x264 writes them for all its profiles', async t => {
  for (const [hex, width, height, codec] of [
    ['67640028acd940780227e5c044000003000400000300283c60c658', 1920, 1080, 'avc1.640028'],
    ['674d401feca02482dd80880000030008000003005078c18cb0', 1168, 720, 'avc1.4d401f'],
    ['6742c01fd9005005bb0110000003001000000300a0f1832480', 1280, 720, 'avc1.42c01f'],
    ['67f4000c919b282a10f0842180880000030008000003005078a14cb0', 321, 241, 'avc1.f4000c'],
    ['677a000cbcd9415087888430110000030001000003000a0f142996', 322, 241, 'avc1.7a000c'],
    ['676e0028a6cd940780227e5c044000000300400000030283c60c6580', 1920, 1080, 'avc1.6e0028'],
    ['67640016acd940a03db0110000030001000003000a0f162d96', 640, 480, 'avc1.640016'],
    ['67640016acd940b424fd6022000003000200000300143e28532c', 720, 572, 'avc1.640016'],
    ['67640033acd940100010fb0110000003001000000300a0f1831960', 4096, 2160, 'avc1.640033'],
    ['67640028acd940780227a9b0110000030001000003000a0f183196', 1918, 1078, 'avc1.640028']
  ] as const) t.same(read(hex), { width, height, codec }, hex)
})

/** Bits of a set behind its profile and level: numbers are Exp-Golomb codes, texts are bits. */
function built (profile: number, parts: readonly (number | string)[]): string {
  const bits = parts.map(part => {
    if (typeof part === 'string') return part
    const code = (part + 1).toString(2)
    return '0'.repeat(code.length - 1) + code
  }).join('') + '1'
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Buffer.from([0x67, profile, 0, 40, ...bytes.map(byte => Number.parseInt(byte, 2))]).toString('hex')
    .replace(/^((?:..)*?)0000(0[0-3])/, '$1000003$2')
}

t.test('lists for scaling, cycles of picture order, fields and cropping', async t => {
  // 80 × 45 macroblocks less 4 and 2 samples of colour in each direction
  const size = [79, 44, '1', '1']
  const cropped = [...size, '1', 1, 1, 0, 1]
  t.match(read(built(66, [0, 0, 0, 0, 1, '0', ...size, '0', '0'])), { width: 1280, height: 720 })
  t.match(read(built(66, [0, 0, 0, 0, 1, '0', ...cropped, '0'])), { width: 1276, height: 718 })
  t.match(read(built(66, [0, 0, 1, '0', 0, 0, 3, 2, 1, 4, 1, '0', ...size, '0', '0'])), { width: 1280, height: 720 })
  t.match(read(built(66, [0, 0, 2, 1, '0', 79, 22, '0', '1', '1', '1', 0, 0, 0, 4, '0'])), { width: 1280, height: 720 })
  // The first list ends at once, the second goes on with eights, six are missing.
  const lists = ['1', '1', 16, '1', ...Array.from({ length: 16 }, () => 0), '000000']
  t.match(read(built(100, [0, 1, 0, 0, '0', ...lists, 0, 0, 0, 1, '0', ...size, '0', '0'])), { width: 1280, height: 720 })
})

t.test('what is no set, or of impossible pictures, says nothing', async t => {
  const good = '67640028acd940780227e5c044000003000400000300283c60c658'
  for (const [what, hex] of Object.entries({
    nothing: '',
    'another unit': good.replace(/^67/, '68'),
    'a set for pictures': '68ebe3cb22c0',
    'cut off': good.slice(0, 20),
    zeros: '67' + '00'.repeat(40),
    'endless zeros': '6764002800' + '00'.repeat(4_000),
    'too large': built(66, [0, 0, 0, 0, 1, '0', 600, 44, '1', '1', '0', '0']),
    'cropped to nothing': built(66, [0, 0, 0, 0, 1, '0', 79, 44, '1', '1', '1', 320, 320, 0, 0, '0']),
    'a kind of colour that there is not': built(100, [0, 4, 0, 0, '0', '0', 0, 0, 0, 1, '0', 79, 44, '1', '1', '0', '0']),
    'a cycle without end': built(66, [0, 0, 1, '0', 0, 0, 256, 1, '0', 79, 44, '1', '1', '0', '0']),
    'too long': '67640028' + 'ff'.repeat(5_000)
  })) t.equal(read(hex), undefined, what)
})
