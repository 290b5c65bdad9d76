// Child process: runs networks with the runtime in the folder given as argument, one picture at a time.
import { constants, setPriority } from 'node:os'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readOutputs } from '../read-outputs.js'
import type { Output } from '../types.js'
import { loadRuntime, SESSION_OPTIONS, shapesOf, type Session, type Tensor } from './load-runtime.js'
import type { InferenceReply, InferenceRequest, Inspection, InspectRequest, Timed } from './inference-messages.js'
import type { Model } from '../types.js'

/** No camera has larger pictures. */
const MOST_PIXELS = 12_000_000
/** Share of the shorter side that the centre crop retains. */
const MIDDLE = 224 / 256
const margin = (side: number) => (side / MIDDLE - side) / 2
const LUMA = [0.2989, 0.587, 0.114] as const

/** The picture as a tensor in planar layout, normalised for the network. */
async function prepare (picture: Uint8Array, model: Model): Promise<Float32Array> {
  const { width, height, fit, grey, mean, std } = model
  const image = sharp(picture, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .flatten({ background: '#000' }).toColourspace('srgb')
  const sized = fit === 'stretch'
    ? image.resize(width, height, { fit: 'fill', kernel: 'linear' })
    : image.resize(Math.round(width / MIDDLE), Math.round(height / MIDDLE), { fit: 'cover', kernel: 'linear' })
      .extract({ left: Math.round(margin(width)), top: Math.round(margin(height)), width, height })
  const data = await sized.raw().toBuffer()
  const count = width * height
  const out = new Float32Array(3 * count)
  for (let at = 0; at < count; at++) {
    const pixel = [data[3 * at] ?? 0, data[3 * at + 1] ?? 0, data[3 * at + 2] ?? 0]
    const light = pixel.reduce((sum, value, channel) => sum + value * (LUMA[channel] ?? 0), 0)
    for (let channel = 0; channel < 3; channel++) {
      const value = (grey ? light : pixel[channel] ?? 0) / 255
      out[channel * count + at] = (value - (mean[channel] ?? 0)) / (std[channel] ?? 1)
    }
  }
  return out
}

const [, , folder = '', only] = process.argv
sharp.cache(false)
sharp.concurrency(1)
try { setPriority(constants.priority.PRIORITY_BELOW_NORMAL) } catch {}

const loaded = loadRuntime(folder, only)
loaded.catch(() => {}) // reported to each request
/** The most recently loaded networks. */
const sessions = new Map<string, Session>()
const MOST_SESSIONS = 2

async function sessionOf (file: string): Promise<Session> {
  const { ort, name } = await loaded
  const known = sessions.get(file)
  if (known) return known
  const session = name === 'onnxruntime-web'
    ? await ort.InferenceSession.create(new Uint8Array(await readFile(file)), { ...SESSION_OPTIONS, executionProviders: ['wasm'] })
    : await ort.InferenceSession.create(file, SESSION_OPTIONS)
  const [oldest] = sessions.size < MOST_SESSIONS ? [] : sessions
  if (oldest) {
    sessions.delete(oldest[0])
    await oldest[1].release?.()
  }
  sessions.set(file, session)
  return session
}

async function inspect ({ file }: InspectRequest): Promise<Inspection> {
  const { inputMetadata, outputMetadata } = await sessionOf(file)
  return { inputs: shapesOf(inputMetadata), outputs: shapesOf(outputMetadata) }
}

const outputOf = (name: string, { dims, data }: Tensor): Output => {
  if (!(data instanceof Float32Array)) throw new Error(`Output '${name}' of the network is not of 32-bit numbers`)
  return { name, dims, data }
}

async function infer ({ file, model, picture }: InferenceRequest): Promise<Timed> {
  const session = await sessionOf(file)
  const { ort, name } = await loaded
  const input = new ort.Tensor('float32', await prepare(picture, model), [1, 3, model.height, model.width])
  const begun = performance.now()
  const results = await session.run({ [session.inputNames[0] ?? '']: input })
  const ms = performance.now() - begun
  const outputs = session.outputNames.map(output => outputOf(output, results[output] as Tensor))
  return { ...readOutputs(model, outputs), ms, runtime: name }
}

let last: Promise<void> = Promise.resolve()
process.on('message', (request: InferenceRequest | InspectRequest) => {
  const reply = (answer: InferenceReply) => { process.send?.(answer) }
  last = last.then(async () => {
    try {
      reply('picture' in request
        ? { id: request.id, reading: await infer(request) }
        : { id: request.id, inspection: await inspect(request) })
    } catch (error) {
      reply({ id: request.id, error: error instanceof Error ? error.message : String(error) })
    }
  })
})
process.on('disconnect', () => process.exit(0))
