import t from 'tap'
import { decodeTrack, type TrackChunk } from '../../../plugins/toolpath/page/decode-track.js'
import { Machine } from '../../../plugins/toolpath/read/machine.js'
import type { Orders } from '../../../plugins/toolpath/read/moves.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'
import { TrackEncoder } from '../../../plugins/toolpath/track/track-encoder.js'

function encode (text: string, mostBytes = 1e9) {
  const parts: Uint8Array[] = []
  const encoder = new TrackEncoder(part => parts.push(part), mostBytes)
  const heat: Orders['heat'] = (heater, celsius, tool) => { if (heater === 'nozzle') encoder.heat(celsius, tool) }
  const orders = new Proxy({}, {
    get: (_orders, name) => name === 'move'
      ? encoder.move.bind(encoder)
      : name === 'layer' ? encoder.begin.bind(encoder) : name === 'change' ? encoder.change.bind(encoder) : name === 'heat' ? heat : () => {}
  }) as Orders
  const scanner = new Scanner(new Machine(orders))
  scanner.write(Buffer.from(text))
  scanner.end()
  encoder.end()
  const bytes = Buffer.concat(parts)
  return { encoder, bytes, chunks: decodeTrack(bytes) }
}

const near = (value: number) => Math.round(value * 1e3) / 1e3
const endsOf = ({ x, y, z, extruded }: TrackChunk) =>
  [...x.keys()].map(at => [x[at], y[at], z[at], extruded[at]].map(value => near(value ?? 0)).join(' '))

t.test('a track holds every move with its layer, object, feature, tool, speed and flags', t => {
  const { encoder, bytes, chunks } = encode([
    'M83', 'G1 X5 Y5 F6000', '; CHANGE_LAYER', '; FEATURE: Outer wall', '; OBJECT_ID: 7', 'G1 X10 E1 F1200', 'G1 X15 Y9 E.5',
    '; WIPE_START', 'G1 X14 E-.1', '; WIPE_END', '; OBJECT_ID: 8', 'T1', 'G1 Z.4', '; CHANGE_LAYER', 'M620 S1A', 'G1 E4', 'M621 S1A',
    '; CHANGE_LAYER'
  ].join('\n'))
  t.same(chunks.map(({ layer, object, count, line }) => [layer, object, count, line]),
    [[0, 0, 1, 2], [1, 7, 3, 6], [1, 8, 1, 13], [2, 8, 1, 16]])
  t.same(endsOf(chunks[1]!), ['10 5 0 1', '15 9 0 0.5', '14 9 0 -0.1'])
  t.same([...chunks[1]!.start], [5, 5, 0])
  t.same([...chunks[1]!.speed], [200, 200, 200])
  t.same([...chunks[1]!.feature], [1, 1, 1])
  t.same([...chunks[1]!.flags], [0, 0, 1])
  t.same([...chunks[2]!.tool, ...chunks[3]!.flags], [1, 8])
  const { starts } = encoder
  t.equal(starts.length, 4, 'a layer without moves has a place, too')
  const cut = decodeTrack(Buffer.concat([bytes.subarray(0, 8), bytes.subarray(starts[1], starts[2])]))
  t.same(cut.map(({ object }) => object), [7, 8], 'and layers can be cut out')
  t.end()
})

t.test('moves have the target of their nozzle', t => {
  const heated = (text: string) => encode(text).chunks.map(({ count, celsius }) => `${count} ${celsius}`)
  t.same(heated('G1 X1\nM104 S220\nG1 X2\nM140 S60\nM104 S220\nG1 X3\nM109 S0\nG1 X4'), ['1 0', '2 220', '1 0'],
    'a chunk ends only where the target of the nozzle changes')
  t.same(heated('M104 S250 T1\nM104 S200 T0\nG1 X1\nT1\nG1 X2\nG1 X3\nT0\nG1 X4'), ['1 200', '2 250', '1 200'])
  t.same(heated('M104 S210 T0\nT3\nG1 X1'), ['1 210'], 'one nozzle takes several filaments')
  t.same(heated('M104 S250 T1\nM104 S200\nT1\nG1 X1'), ['1 200'])
  t.end()
})

t.test('an arc is divided into segments that stay within 0.05 mm of it', t => {
  const { chunks: [, chunk] } = encode('M83\nG1 X40 Y20\n; CHANGE_LAYER\nG2 X40 Y20 Z1 I-20 J0 E10')
  const { x, y, z, extruded, flags, count, start } = chunk!
  t.ok(count > 40 && count < 100, `${count} segments`)
  t.equal(near(extruded.reduce((sum, value) => sum + value, 0)), 10)
  t.same([x[count - 1], y[count - 1], z[count - 1]].map(value => near(value!)), [40, 20, 1])
  t.ok(flags.every(flag => flag === 4))
  const points = [[start[0]!, start[1]!], ...[...x.keys()].map(at => [x[at]!, y[at]!])]
  const furthest = Math.max(...points.slice(1).map(([toX, toY], at) =>
    20 - Math.hypot((points[at]![0]! + toX!) / 2 - 20, (points[at]![1]! + toY!) / 2 - 20)))
  t.ok(furthest < 0.051 && furthest > 0.01, `${furthest} mm`)
  t.end()
})

t.test('long layers have several chunks, and a track that would be too long ends', t => {
  const text = `; CHANGE_LAYER\n${'G1 X10\nG1 X20\n'.repeat(3_000)}`
  const { chunks } = encode(text)
  t.same(chunks.map(({ count, line }) => [count, line]), [[4_096, 2], [1_904, 4_098]])
  t.equal(chunks[1]!.start[0], 20)
  const { encoder, chunks: fewer } = encode(text, 100_000)
  t.same([encoder.isWhole, fewer.length], [false, 1])
  t.end()
})

t.test('bytes that are no track are refused in words', t => {
  t.throws(() => decodeTrack(Buffer.from('PRTX\u0001\0\0\0')), { message: 'this is no track' })
  t.throws(() => decodeTrack(Buffer.from('PRTP\u0001\0\0\0')), { message: 'tracks of version 1 cannot be read' })
  const { bytes } = encode('G1 X1\nG1 X2')
  t.throws(() => decodeTrack(bytes.subarray(0, -4)), { message: 'the track is cut off' })
  t.end()
})
