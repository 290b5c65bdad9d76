import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import t from 'tap'
import { resolveModel } from '../../../core/index.js'
import { decodeTrack } from '../../../plugins/toolpath/page/decode-track.js'
import type { Finding } from '../../../plugins/toolpath/findings/types.js'
import type { PlateSource } from '../../../plugins/toolpath/source/plate-source.js'
import { PlateReader } from '../../../plugins/toolpath/worker/plate-reader.js'
import { testFolder } from '../../helpers/folder.js'
import { plateText } from './plate-text.js'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const signal = new AbortController().signal
const target = { model: resolveModel('', 'X1C'), nozzles: [0.4] }

function sourceOf (text: string, changes: Partial<PlateSource> & { readonly isDeflated?: boolean } = {}): PlateSource {
  const packed = changes.isDeflated === true ? deflateRawSync(text) : Buffer.from(text)
  return {
    isDeflated: false,
    size: Buffer.byteLength(text),
    packedSize: packed.length,
    md5: md5(text),
    settings: {},
    nozzleByTool: undefined,
    read: async (start, length) => packed.subarray(start, start + length),
    ...changes
  }
}

function readerOf (t: Pick<typeof import('tap').default, 'teardown'>, options = {}) {
  const folder = testFolder(t as Parameters<typeof testFolder>[0])
  const reader = new PlateReader(options)
  t.teardown(() => reader.close())
  let count = 0
  return async (source: PlateSource, its = signal, onSure?: (findings: readonly Finding[]) => void, more = {}) => {
    const trackPath = join(folder, `${++count}.track`)
    const listener = { ...onSure && { onSure }, ...more }
    return { trackPath, reading: await reader.read(source, { target, trackPath, mostTrackBytes: 1e8 }, its, listener) }
  }
}

t.test('one pass over a plate in an archive gives everything about it', async t => {
  const read = readerOf(t)
  const text = plateText({ layers: 40 })
  const { reading, trackPath } = await read(sourceOf(text, { isDeflated: true }))
  const { plate, facts, seconds, limits, track } = reading
  t.match(plate, { isCutOff: false, lines: text.split('\n').length, md5: { stated: md5(text), computed: md5(text) } })
  t.match(plate.declared, { slicer: 'Slicer 1.0', layers: 40, densities: [1.24, 1.27] })
  t.equal(plate.layers.length, 41)
  t.ok(seconds > 60 && seconds < 3_600, `${seconds} s`)
  t.equal(limits, 'file')
  t.match(facts, {
    box: { min: [90, 90, 0.2], max: [110, 120, 8] },
    objects: [{ id: 3, firstLayer: 1, lastLayer: 40 }, { id: 4, firstLayer: 1, lastLayer: 20 }],
    tools: [0, 1],
    heat: { nozzle: [140, 220], bed: [60, 65], chamber: undefined },
    filamentChanges: 1
  })
  const bytes = readFileSync(trackPath)
  t.equal(bytes.length, track.bytes)
  t.same([...new Set(decodeTrack(bytes).map(({ layer }) => layer))], [...Array(41).keys()])
  const layer = Buffer.concat([bytes.subarray(0, 8), bytes.subarray(track.starts[7], track.starts[8])])
  t.same(decodeTrack(layer).map(({ layer, object }) => `${layer} ${object}`), ['7 4', '7 3', '7 4'])
})

t.test('progress is counted in bytes as they are in the archive', async t => {
  const read = readerOf(t)
  const source = sourceOf(plateText({ layers: 3_000 }), { isDeflated: true })
  const seen: (readonly [bytes: number, total: number])[] = []
  const onProgress = (bytes: number, total: number) => seen.push([bytes, total])
  await read(source, undefined, undefined, { onProgress })
  t.same([seen[0], seen.at(-1)], [[0, source.packedSize], [source.packedSize, source.packedSize]])
})

t.test('limits at the end of a plain file count from its beginning', async t => {
  const read = readerOf(t)
  const slow = plateText({ layers: 5, settings: 'last', acceleration: 100 })
  const early = await read(sourceOf(plateText({ layers: 5, acceleration: 100 })))
  const late = await read(sourceOf(slow))
  t.equal(late.reading.limits, 'file')
  t.equal(Math.round(late.reading.seconds), Math.round(early.reading.seconds))
  const packed = await read(sourceOf(slow, { isDeflated: true }))
  t.equal(packed.reading.limits, 'assumed', 'which cannot be had before the rest of an archive, and is said')
  t.ok(packed.reading.seconds < late.reading.seconds)
})

t.test('a plate is judged by settings at the end of a plain file too', async t => {
  const read = readerOf(t)
  const small = plateText({ settings: 'last' }).replace('0x0,256x0,256x256,0x256', '0x0,105x0,105x256,0x256')
  const { reading: { findings } } = await read(sourceOf(small))
  t.match(findings, [{ code: 'outside_area', weight: 'stop', figures: {} }])
  t.same((await read(sourceOf(plateText({ settings: 'last' })))).reading.findings, [])
})

t.test('what is missing, damaged or too much is said, and the next plate is read', async t => {
  const read = readerOf(t)
  const text = plateText({ layers: 30 })
  const half = deflateRawSync(text).subarray(0, 900)
  const cut = {
    packedSize: half.length, read: async (start: number, length: number) => half.subarray(start, start + length)
  }
  const { reading } = await read(sourceOf(text, { isDeflated: true, ...cut }))
  t.equal(reading.plate.isCutOff, true)
  t.ok(reading.plate.lines > 3, 'what came before counts')
  await t.rejects(read(sourceOf(text, { size: 10 })), { message: 'the file is larger than its archive says' })
  const lost = new Error('the card was taken out')
  await t.rejects(read(sourceOf(text, { isDeflated: true, read: async () => { throw lost } })), lost)
  t.equal((await read(sourceOf(text))).reading.plate.isCutOff, false)
})

t.test('a read can be aborted while bytes are on their way, and the next one is not held up', async t => {
  const read = readerOf(t)
  const controller = new AbortController()
  const text = plateText({ layers: 3 })
  const stuck = sourceOf(text, {
    isDeflated: true,
    read: async () => {
      controller.abort(new Error('not needed any more'))
      return await new Promise(() => {})
    }
  })
  await t.rejects(read(stuck, controller.signal), { message: 'not needed any more' })
  const { trackPath } = await read(sourceOf(text))
  t.ok(existsSync(trackPath))
})

t.test('what stops a print for certain is known while the rest is still on its way', async t => {
  const read = readerOf(t)
  const text = plateText({ layers: 3_000 }).replace(/(; Z_HEIGHT: 0\.4[\s\S]*?G1 )X90 Y90/, '$1X300 Y90')
  const source = sourceOf(text)
  let release = (): void => {}
  const held = new Promise<void>(resolve => { release = resolve })
  let isEnded = false
  let reading: Promise<unknown> | undefined
  const sure = await new Promise<readonly Finding[]>(resolve => {
    reading = read({
      ...source,
      md5: undefined,
      async read (start, length) {
        // the last bytes are asked for first, for their settings
        if (start > 500_000 && start + length < source.size) await held
        return await source.read(start, length)
      }
    }, signal, resolve).finally(() => { isEnded = true })
  })
  t.match(sure, [{ code: 'outside_area', weight: 'stop', layer: 2, figures: { millimetres: 44 } }])
  t.equal(isEnded, false)
  release()
  await reading
})
