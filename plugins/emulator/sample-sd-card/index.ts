import { modelByName, resolveModel } from '../../../core/index.js'
import type { Traits } from '../models/traits.js'
import { buildProject } from './build.js'
import { DUAL_PROJECTS, IMPOSTOR, PROJECTS } from './projects.data.js'
import type { Target } from './scene.js'

export { buildProject } from './build.js'
export { FILE_ERROR, readJob } from './read-job.js'
export type { Material, PlateScene, ProjectScene, Target, Thing } from './scene.js'
export { readZip, writeZip, type Entry } from './zip.js'

export interface SampleFile {
  readonly path: string
  readonly content: Buffer
  /** ms since the epoch. */
  readonly modifiedAt: number
}

const bedOf = ({ model }: Traits): Target['bed'] => {
  const [width, depth] = (modelByName(model) ?? resolveModel('')).bedMm
  return [width, depth]
}

/** The printer as described in a project for it. */
export const targetOf = (traits: Traits): Target => ({
  product: traits.product,
  code: traits.code,
  bed: bedOf(traits),
  extruders: traits.extruders
})

const FIRST_FILE = Date.UTC(2026, 0, 5, 9, 30)
const DAY_MS = 86_400_000

const known = new Map<string, readonly SampleFile[]>()

/** Sample files. Created once for each model, because the pictures take a moment. */
export function sampleFiles (traits: Traits): readonly SampleFile[] {
  const found = known.get(traits.model)
  if (found) return found
  const target = targetOf(traits)
  const projects = traits.extruders === 2 ? [...PROJECTS, ...DUAL_PROJECTS] : PROJECTS
  const contents = [
    ...projects.map(project => ({ path: project.path, content: buildProject(project, target) })),
    { path: IMPOSTOR.path, content: Buffer.from(IMPOSTOR.content) }
  ]
  const files = contents.map((file, at) => ({ ...file, modifiedAt: FIRST_FILE + at * DAY_MS }))
  known.set(traits.model, files)
  return files
}
