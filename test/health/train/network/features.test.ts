import t from 'tap'
import { parseCanvases } from './features.js'
import { half } from './half.js'

t.test('numbers are stored at half precision, rounded towards 0', async t => {
  const stored = (values: number[]) => values.map(value => half(value).toString(16))
  t.same(stored([0, 1, -2, 0.5, 1 / 3, 65504]), ['0', '3c00', 'c000', '3800', '3555', '7bff'])
  t.same(stored([1 + 1023.9 / 1024, -(1 + 1023.9 / 1024)]), ['3fff', 'bfff'])
  t.same(stored([1e6, -1e6, 1e-6, -1e-6]), ['7bff', 'fbff', '0', '8000'], 'too large and too small')
})

/** A file as numpy writes it. */
function npy (text: string, data: Buffer): Buffer {
  const prefix = Buffer.from('\x93NUMPY\x01\x00__', 'latin1')
  const header = Buffer.from(`${text}\n`)
  prefix.writeUInt16LE(header.length, 8)
  return Buffer.concat([prefix, header, data])
}

t.test('pictures are read from a file of numpy, other contents are refused', async t => {
  const header = (type: string, shape: string) => `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }`
  const pixels = Buffer.from(Array.from({ length: 24 }, (_, at) => at))
  t.same(parseCanvases(npy(header('|u1', '2, 4, 1, 3'), pixels)), { count: 2, height: 4, width: 1, pixels })
  t.throws(() => parseCanvases(npy(header('<f4', '2, 4, 1, 3'), pixels)), /There are no pictures.*<f4/)
  t.throws(() => parseCanvases(npy(header('|u1', '2, 4, 3'), pixels)), /There are no pictures/)
})
