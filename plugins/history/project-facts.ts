import type { PrinterSession } from '../../core/index.js'
import type { Projects } from '../projects/index.js'
import { filamentsOf } from './filament.js'
import type { FilamentUse } from './types.js'

/** What is known of a job's project. */
export interface ProjectFacts {
  readonly projectPath: string
  readonly md5: string
  readonly filaments: readonly FilamentUse[]
  /** PNG. */
  readonly thumbnail: Buffer | undefined
}

/** The project of a printer's job; undefined while it is not known, or cannot be read. */
export async function projectFacts (projects: Projects | undefined, session: PrinterSession):
Promise<ProjectFacts | undefined> {
  const info = projects?.ofJob(session).info
  if (!projects || !info) return undefined
  const thumbnail = projects.pictureOfJob(session, 'thumbnail')
  const planned = await projects.open(session, info.id,
    async project => (await project.plate(info.plate_num)).filaments, session.signal).catch(() => [])
  const { state } = session
  return { projectPath: info.id, md5: info.md5, thumbnail, filaments: state ? filamentsOf(planned, state) : [] }
}
