// A process of its own: computes networks with the runtime in the folder that is its argument, one picture at a time.
import { constants, setPriority } from 'node:os'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readOutputs } from '../read-outputs.js'
import type { Output } from '../types.js'
import { loadRuntime, SESSION_OPTIONS, shapesOf, type Session, type Tensor } from './load-runtime.js'
import type { InferenceReply, InferenceRequest, Inspection, InspectRequest, Timed } from './messages.js'
import { prepare } from './prepare.js'

const [, , folder = '', only] = process.argv
sharp.cache(false)
sharp.concurrency(1)
try { setPriority(constants.priority.PRIORITY_BELOW_NORMAL) } catch {}

const loaded = loadRuntime(folder, only)
loaded.catch(() => {}) // whoever asks is told
/** The last networks that were used. */
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
