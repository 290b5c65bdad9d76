import {
  createInferenceClient, modelFolder, runtimeFolder, scoreOf, storedModels, verifyModel
} from '../../plugins/health-model/index.js'
import { certaintyAlone, certaintyOf, NEW_COURSE, smooth, type Course } from '../../plugins/health-model/smoothing.js'
import type { Opinion } from './folder.js'

const MINUTE_S = 60

/** The networks that were added to a data folder, as the monitor asks them. */
export async function networksOf (dataDir: string): Promise<{ readonly opinion: Opinion, readonly close: () => void }> {
  const folder = modelFolder(dataDir)
  const client = createInferenceClient(runtimeFolder(folder))
  const models = await storedModels(folder, message => console.error(message))
  if (models.length === 0) throw new Error(`No network was added to ${dataDir}`)
  for (const stored of models) await verifyModel(stored)
  const courses = new Map<string, Course>()
  const opinion: Opinion = async (picture, first) => await Promise.all(models.map(async stored => {
    const { value, boxes } = await client.infer(stored.file, stored.model, picture)
    const course = smooth(first ? NEW_COURSE : courses.get(stored.model.name) ?? NEW_COURSE, value, MINUTE_S)
    courses.set(stored.model.name, course)
    return { score: scoreOf(first ? certaintyAlone(value) : certaintyOf(course)), trust: 1, boxes }
  }))
  return { opinion, close: () => client.close() }
}
