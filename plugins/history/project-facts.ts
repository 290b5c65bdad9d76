import type { PrinterSession } from '../../core/index.js'
import type { OpenProject, Projects } from '../projects/index.js'
import type { PlannedFilament } from './types.js'

/** Facts from the project file of a job. */
export interface ProjectFacts {
  readonly projectPath: string
  readonly md5: string
  /** Empty while the plate is unknown. */
  readonly planned: readonly PlannedFilament[]
  readonly plate: number | undefined
  /** PNG. */
  readonly thumbnail: Buffer | undefined
}

/** The only printable plate; undefined if there are several. */
export async function onlyPlate (project: Pick<OpenProject, 'plates' | 'plate'>): Promise<number | undefined> {
  const plates: number[] = []
  for (const number of project.plates) if ((await project.plate(number)).printable) plates.push(number)
  return plates.length === 1 ? plates[0] : undefined
}

/** Facts about the project of a printer's job; undefined while it is unknown or cannot be read. */
export async function projectFacts (projects: Projects | undefined, session: PrinterSession):
Promise<ProjectFacts | undefined> {
  const info = projects?.ofJob(session).info
  if (!projects || !info) return undefined
  const thumbnail = projects.pictureOfJob(session, 'thumbnail')
  const reported = session.state?.job.plate ?? -1
  const { plate, planned } = await projects.open(session, info.id, async project => {
    // Small printers do not report the plate; with several printable ones, any choice would be a guess.
    const plate = project.plates.includes(reported) ? reported : await onlyPlate(project)
    return { plate, planned: plate === undefined ? [] : (await project.plate(plate)).filaments }
  }, session.signal).catch(() => ({ plate: undefined, planned: [] }))
  return { projectPath: info.id, md5: info.md5, thumbnail, planned, plate }
}
