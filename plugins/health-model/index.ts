import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore, readSecret, SecretReference, type JsonStore } from '../../core/index.js'
import { defineHealthDetector, type Detection, type DetectOptions, type Frame, type HealthDetector } from '../health/index.js'
import { createCourses, StoredCourses, type Courses } from './courses.js'
import { createRemote, type Remote } from './remote.js'
import { createInferenceClient, type InferenceClient } from './runtime/client.js'
import { modelFolder, runtimeFolder } from './runtime/runtime-packages.js'
import { verifyModel, type StoredModel } from './store.js'
import type { Reading } from './types.js'
import { onlyRaises, usedModels } from './used-models.js'

export { addModel } from './add-model.js'
export { CATALOGUE, type Published } from './catalogue.data.js'
export { consentText, publishedNamed, sourcesIn } from './sources.js'
export type { ModelOverrides } from './describe-model.js'
export { createInferenceClient, type InferenceClient } from './runtime/client.js'
export { installRuntime } from './runtime/install-runtime.js'
export { installedRuntimes, modelFolder, runtimeFolder, RUNTIMES } from './runtime/runtime-packages.js'
export { findings, understood } from './describe-words.js'
export { drawBoxes } from './draw-boxes.js'
export { SCALES } from './normalisation.js'
export { dropModel, storedModels, verifyModel, type StoredModel } from './store.js'
export { knownModels, usedModels } from './used-models.js'
export { BOX_FORMATS, BUILT_IN, FITS, KINDS, type Kind, type Model } from './types.js'

const Trust = (description: string) => Type.Number({ minimum: 0, maximum: 1, default: 1, description })

export const Options = Type.Object({
  trust: Trust('Weight of networks against the comparison of pictures: 1 networks only, 0 ignores them'),
  builtIn: Type.Optional(Type.Boolean({
    description: 'Whether the built-in network judges, which needs the runtime. By default it does while no other is added'
  })),
  cameras: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
    default: {}, description: '`trust` for single printers, by name'
  }),
  remote: Type.Optional(Type.Object({
    url: Type.String({
      pattern: '^https?://[^@\\s]+$', // a password in it would reach messages
      description: 'A server that answers `GET /p/?img=ADDRESS` as Obico\'s ml_api does. It receives every picture that is judged'
    }),
    token: Type.Optional(SecretReference),
    ownAddress: Type.Optional(Type.String({
      description: 'How the server reaches this machine; detected when left out'
    })),
    ownPort: Type.Optional(Type.Integer({
      minimum: 1, maximum: 65_535, description: 'Where it fetches the pictures; any free one when left out'
    }))
  }, { additionalProperties: false }))
})

/** Maps certainties of networks, where 1/3 is a warning and 2/3 a failure, to the scale of the job monitor. */
const CERTAINTIES = [[0, 0], [1 / 3, 0.38], [2 / 3, 0.78], [1, 1]] as const
export function scoreOf (thirds: number): number {
  const at = Math.max(1, CERTAINTIES.findIndex(([from]) => thirds <= from))
  const [toX, toY] = CERTAINTIES[at] ?? [1, 1]
  const [fromX, fromY] = CERTAINTIES[at - 1] ?? [0, 0]
  return Math.min(1, fromY + (toY - fromY) * (thirds - fromX) / (toX - fromX))
}

interface Judge {
  readonly name: string
  /** It counts only where it is worse than the comparison of pictures, which goes on beside it. */
  readonly raises?: boolean
  readonly courses: Courses
  judge (frame: Frame, signal: AbortSignal): Promise<Reading | undefined>
}

type TrustIn = (printer: string) => number

export const detectorOf = ({ name, raises, courses, judge }: Judge,
  trustIn: TrustIn): HealthDetector => defineHealthDetector({
  name,
  async detect (frame, _context, { signal, printer, job, remember }: DetectOptions): Promise<Detection | undefined> {
    const trust = trustIn(printer)
    if (trust === 0) return undefined
    const reading = await judge(frame, signal)
    if (!reading) return undefined
    const certainty = courses.certainty(reading.value, { printer, job, remember, at: frame.capturedAt })
    return { score: scoreOf(certainty), label: name, ...(raises !== true && { trust }), boxes: reading.boxes }
  }
})

interface Surroundings {
  readonly client: InferenceClient
  readonly store: JsonStore<StoredCourses>
  readonly trustIn: TrustIn
  readonly warn: (message: string) => void
}

interface NamedDetector { readonly detector: HealthDetector, readonly courses: Courses }

/** Detectors for networks in files; a file that has changed since it was added is left out. */
export async function fileDetectors (models: readonly StoredModel[],
  { client, store, trustIn, warn }: Surroundings): Promise<NamedDetector[]> {
  const found = await Promise.all(models.map(async stored => {
    try {
      await verifyModel(stored)
    } catch (error) {
      warn((error as Error).message)
      return []
    }
    const { model: { name }, file } = stored
    const courses = createCourses(name, store)
    const judge: Judge['judge'] = async ({ jpeg }, signal) => await client.infer(file, stored.model, jpeg, signal)
    return [{ courses, detector: detectorOf({ name, raises: onlyRaises(stored), courses, judge }, trustIn) }]
  }))
  return found.flat()
}

const remoteJudge = (remote: Remote, courses: Courses): Judge =>
  ({ name: 'remote', courses, judge: async ({ jpeg }, signal) => await remote.judge(jpeg, signal) })

/**
 * Judges pictures by neural networks: the built-in one, files that the user has added (`prnd health model add`), and a
 * server.
 */
export default definePlugin({
  name: 'health-model',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Judges prints by neural networks: the built-in one, one that you add, or one on a server',
  uses: ['camera', 'disk', 'network'],
  provides: ['healthModels'],
  options: Options,
  async setup ({ options, log, events, folder, kernel, provide, onClose }) {
    const warn = (message: string) => log.warn(message)
    const hasRemote = options.remote !== undefined
    const models = await usedModels(modelFolder(kernel.dataDir), { builtIn: options.builtIn, hasRemote }, warn)
    if (models.length === 0 && !hasRemote) return provide('healthModels', { detectors: [] })
    const at = await folder()
    const store = await openJsonStore(join(at, 'courses.json'), { schema: StoredCourses, initial: {}, warn })
    const client = createInferenceClient(runtimeFolder(at))
    const trustIn = (printer: string) => options.cameras[printer] ?? options.trust
    const detectors = await fileDetectors(models, { client, store, trustIn, warn })
    if (options.remote !== undefined) {
      const { url, token: reference, ownAddress, ownPort } = options.remote
      const token = reference === undefined ? undefined : await readSecret(reference, 'plugins.health-model.remote.token')
      if (token !== undefined) kernel.maskSecret(token)
      const report = kernel.connections.add({
        name: 'health-model', plugin: 'health-model', what: 'the remote detector of failures', address: url
      })
      const remote = createRemote({ url, token, ownAddress, ownPort },
        { steady: () => performance.now(), warn, report })
      const courses = createCourses('remote', store)
      detectors.push({ courses, detector: detectorOf(remoteJudge(remote, courses), trustIn) })
    }
    events.on('printer:forgotten', printer => { for (const { courses } of detectors) courses.forget(printer) })
    provide('healthModels', { detectors: detectors.map(({ detector }) => detector) })
    onClose(async () => {
      client.close()
      await store.settled()
    })
  }
})
