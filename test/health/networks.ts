import type { JsonStore } from '../../core/index.js'
import type { StoredCourses } from '../../plugins/health-model/courses.js'
import {
  createInferenceClient, fileDetectors, modelFolder, runtimeFolder, usedModels
} from '../../plugins/health-model/index.js'
import type { HealthDetector } from '../../plugins/health/index.js'

/** What was learned of a camera is not kept: the order of folders is not that of the prints. */
const forgetful: JsonStore<StoredCourses> = { path: '', get: () => ({}), set: async () => {}, settled: async () => {} }

/**
 * The networks that a service with this data folder uses, as its monitor asks them.
 * @param trust their weight against the comparison of pictures
 */
export async function networksOf (dataDir: string, trust = 1): Promise<{
  readonly detectors: readonly HealthDetector[]
  readonly close: () => void
}> {
  const folder = modelFolder(dataDir)
  const warn = (message: string) => console.error(message)
  const client = createInferenceClient(runtimeFolder(folder))
  const detectors = await fileDetectors(await usedModels(folder, { hasRemote: false }, warn),
    { client, store: forgetful, trustIn: () => trust, warn })
  if (detectors.length === 0) throw new Error(`No network was added to ${dataDir}, and no runtime was installed there: prnd health runtime install`)
  return { detectors: detectors.map(({ detector }) => detector), close: () => client.close() }
}
