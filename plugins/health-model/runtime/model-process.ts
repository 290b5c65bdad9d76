// Child process: runs networks with the runtime in the folder given as argument, one picture at a time.
import { constants, setPriority } from 'node:os'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { inPicture } from '../fit-picture.js'
import { joinReadings, readOutputs } from '../read-outputs.js'
import type { Reading } from '../types.js'
import type { InferenceReply, InferenceRequest, Inspection, InspectRequest, Shape, Timed } from './inference-messages.js'
import { loadRuntime, SESSION_OPTIONS, shapesOf, type Session } from './load-runtime.js'
import { inputsOf } from './prepare-picture.js'
import { outputsOf, tensorOf } from './tensors.js'

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

/** Side of an input that leaves it open, when nothing else is known. */
const OPEN_SIDE = 640

/** Many files state their outputs with open sizes, so the shapes come from a trial with a black picture. */
async function inspect ({ file, size }: InspectRequest): Promise<Inspection> {
  const session = await sessionOf(file)
  const { ort } = await loaded
  const inputs = shapesOf(session.inputMetadata)
  const [input] = inputs
  const outputs = shapesOf(session.outputMetadata)
  const dims = input?.dims ?? []
  if (inputs.length !== 1 || dims.length !== 4) return { inputs, outputs }
  const isLast = dims[3] === 3
  const open = isLast
    ? [1, size?.height ?? OPEN_SIDE, size?.width ?? OPEN_SIDE, 3]
    : [1, 3, size?.height ?? OPEN_SIDE, size?.width ?? OPEN_SIDE]
  const full = dims.map((dim, at) => typeof dim === 'number' && dim > 0 ? dim : open[at] ?? 1)
  const black = new Float32Array(full.reduce((all, dim) => all * dim, 1))
  const results = await session.run({ [session.inputNames[0] ?? '']: tensorOf(ort, black, full, input?.type) })
  const dimsOf = ({ name, dims: declared }: Shape) => [...results[name]?.dims ?? declared]
  return { inputs, outputs: outputs.map(output => ({ ...output, dims: dimsOf(output) })) }
}

async function infer ({ file, model, picture }: InferenceRequest): Promise<Timed> {
  const session = await sessionOf(file)
  const { ort, name } = await loaded
  const type = session.inputMetadata[0]?.type
  const readings: Reading[] = []
  let ms = 0
  for (const { values, view, size, input } of await inputsOf(picture, model)) {
    const dims = model.layout === 'nhwc' ? [1, input.height, input.width, 3] : [1, 3, input.height, input.width]
    const begun = performance.now()
    const results = await session.run({ [session.inputNames[0] ?? '']: tensorOf(ort, values, dims, type) })
    ms += performance.now() - begun
    const { value, boxes } = readOutputs(model, outputsOf(session.outputNames, results))
    readings.push({ value, boxes: inPicture(boxes, view, size, input) })
  }
  return { ...joinReadings(model, readings), ms, runtime: name }
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
