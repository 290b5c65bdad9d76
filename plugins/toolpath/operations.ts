import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { CARD_ERRORS } from '../files/index.js'
import { drawLayer, FEATURE_COLORS } from './draw-layer.js'
import {
  LayerTooLarge, NoPlateFile, NoSlicedPlate, NoSuchLayer, PlateReadFailed, PlateTooLarge, PlateUnreadable, TooManyPlates
} from './errors.js'
import { decodeTrack } from './page/decode-track.js'
import { FilePath, LayerList, ObjectList, PlateNumber, ReadingProgress, Summary } from './schemas.js'
import { layerListOf, objectListOf } from './summary.js'
import { TRACK_HEADER } from './track/track-encoder.js'

const ERRORS =
  [NoPlateFile, NoSlicedPlate, PlateUnreadable, PlateTooLarge, TooManyPlates, PlateReadFailed, ...CARD_ERRORS] as const

const File = { file: FilePath, plate: Type.Optional(PlateNumber) }
const Layers = {
  first: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: '0: what comes before the first layer' })),
  last: Type.Optional(Type.Integer({ minimum: 0, description: 'Left out: the last of the print' }))
}

/** Paths begin with a slash, whether the caller wrote it or not. */
const pathOf = (text: string): string => text.startsWith('/') ? text : `/${text}`

function checkRange (first: number, last: number): void {
  if (last < first) throw new BadInput(`layer must be a range such as 3-9, and ${last} comes before ${first}`)
}

export const readSummary = operation({
  name: 'toolpath.summary',
  summary: 'What a plate will do, read move by move: time, filament, heat, findings',
  effect: 'read',
  input: Type.Object({
    ...File,
    mapping: Type.Optional(Type.Array(Type.Integer())),
    plateType: Type.Optional(Type.String())
  }),
  output: Summary,
  errors: ERRORS,
  async run ({ services, session, signal }, { file, plate = 1, ...start }) {
    return await services.toolpath.summary(session, pathOf(file), plate, { signal, start })
  }
})

export const readProgress = operation({
  name: 'toolpath.progress',
  summary: 'How far a plate is read that is being read for the first time',
  effect: 'read',
  input: Type.Object(File),
  output: ReadingProgress,
  run ({ services, session }, { file, plate = 1 }) {
    const progress = services.toolpath.progress(session, pathOf(file), plate)
    return { is_reading: progress !== undefined, bytes: 0, total: 0, ...progress }
  }
})

export const readLayers = operation({
  name: 'toolpath.layers',
  summary: 'Height, time and filament of each layer of a plate',
  effect: 'read',
  input: Type.Object({ ...File, ...Layers }),
  output: LayerList,
  errors: [...ERRORS, BadInput],
  async run ({ services, session, signal }, { file, plate = 1, first = 0, last = Number.MAX_SAFE_INTEGER }) {
    checkRange(first, last)
    const path = pathOf(file)
    return layerListOf(await services.toolpath.read(session, path, plate, { signal }), path, plate, first, last)
  }
})

export const readObjects = operation({
  name: 'toolpath.objects',
  summary: 'Time and filament that skipping each object of a plate saves, from a layer on',
  effect: 'read',
  input: Type.Object({ ...File, fromLayer: Type.Optional(Type.Integer({ minimum: 1, default: 1 })) }),
  output: ObjectList,
  errors: ERRORS,
  async run ({ services, session, signal }, { file, plate = 1, fromLayer = 1 }) {
    const path = pathOf(file)
    return objectListOf(await services.toolpath.read(session, path, plate, { signal }), path, plate, fromLayer)
  }
})

async function * trackBytes (path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  yield TRACK_HEADER
  if (start < end) yield * createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Uint8Array>
}

export const readTrack = operation({
  name: 'toolpath.track',
  summary: 'The moves of some layers of a plate, in a binary format',
  effect: 'read',
  input: Type.Object({ ...File, ...Layers }),
  output: Type.Object({
    size: Type.Integer({ description: 'Bytes' }),
    is_whole: Type.Boolean({ description: 'false: the track ends before the print, because it would be too long' }),
    body: Type.Unsafe<Readable>({ type: 'string', format: 'binary' })
  }),
  errors: [...ERRORS, BadInput],
  async run ({ services, session, signal }, { file, plate = 1, first = 0, last = Number.MAX_SAFE_INTEGER }) {
    checkRange(first, last)
    const part = await services.toolpath.track(session, pathOf(file), plate, { first, last, signal })
    const { path, start, end, isWhole } = part
    const body = Readable.from(trackBytes(path, start, end))
    return { size: TRACK_HEADER.length + end - start, is_whole: isWhole, body }
  }
})

/** Bytes of the track of a layer that is drawn: half a million moves. */
const LARGEST_DRAWN = 10 * 1024 ** 2

export const drawPlateLayer = operation({
  name: 'toolpath.draw',
  summary: 'Picture of one layer of a plate, from above, in the colours of its features',
  effect: 'read',
  input: Type.Object({ ...File, layer: Type.Integer({ minimum: 1, description: 'From 1' }) }),
  output: Type.Object({
    png: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
    width: Type.Integer({ description: 'px' }),
    height: Type.Integer(),
    layer: Type.Integer(),
    layers: Type.Integer({ description: 'Of the plate' }),
    z_mm: Type.Number(),
    colors: Type.Record(Type.String(), Type.String(), { description: 'Of the features in this layer, #RRGGBB' })
  }),
  errors: [...ERRORS, NoSuchLayer, LayerTooLarge],
  async run ({ services, session, signal }, { file, plate = 1, layer }) {
    const path = pathOf(file)
    const { plate: { layers } } = await services.toolpath.read(session, path, plate, { signal })
    const found = layers[layer]
    if (found === undefined) throw new NoSuchLayer(path, layer, layers.length - 1)
    const part = await services.toolpath.track(session, path, plate, { first: layer, last: layer, signal })
    if (part.end - part.start > LARGEST_DRAWN) throw new LayerTooLarge(layer)
    const chunks = decodeTrack(await buffer(trackBytes(part.path, part.start, part.end)))
    const { features, ...picture } = await drawLayer(chunks, session.model.bedMm)
    const colors = Object.fromEntries(features.map(name => [name, FEATURE_COLORS[name]]))
    return { ...picture, layer, layers: layers.length - 1, z_mm: found.z, colors }
  }
})
