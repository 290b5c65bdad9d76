import type { PrinterSession, Services } from '../../core/index.js'

/** Pictures that the job monitor makes of its last result. */
export const HEALTH_IMAGES = ['annotated', 'factors_radar', 'health_panel'] as const
export type HealthImage = (typeof HEALTH_IMAGES)[number]

/** What the stream page shows of the job monitor; the plugin that has one provides it. */
export interface JobHealth {
  /** The last result of a printer as plain data without pictures; undefined while there is none. */
  result (printer: string): object | undefined
  /** PNG, made when first asked for; undefined when the last result has none of that kind. Never rejects. */
  image (printer: string, kind: HealthImage): Promise<Uint8Array | undefined>
}

declare module 'prn' {
  interface Services { jobHealth: JobHealth }
}

/** Pictures of the plate that is printed: from aside, and from above with its objects. */
export type PlateImage = 'thumbnail' | 'layout'

/** What is used of the plugin that knows projects. */
interface JobProjects {
  /** As the slicer drew it. */
  pictureOfJob (session: PrinterSession, kind: 'thumbnail' | 'topimg'): Uint8Array | undefined
  /** Drawn with the objects marked; where it is missing the plain view from above is shown. */
  layoutOfJob? (session: PrinterSession): Promise<Uint8Array | undefined>
}

/** A service that this application may have or not: it is looked for at every use. */
function optional<T> (services: Readonly<Services>, name: string): T | undefined {
  return name in services ? (services as Readonly<Record<string, unknown>>)[name] as T : undefined
}

export const jobHealthOf = (services: Readonly<Services>): JobHealth | undefined =>
  optional<JobHealth>(services, 'jobHealth')

const isJobProjects = (service: Partial<JobProjects> | undefined): service is JobProjects =>
  typeof service?.pictureOfJob === 'function'

/** @returns undefined when nothing is known of the plate */
export async function plateImageOf (services: Readonly<Services>, session: PrinterSession, kind: PlateImage):
Promise<Uint8Array | undefined> {
  const projects = optional<Partial<JobProjects>>(services, 'projects')
  if (!isJobProjects(projects)) return undefined
  if (kind === 'thumbnail') return projects.pictureOfJob(session, 'thumbnail')
  return await projects.layoutOfJob?.(session) ?? projects.pictureOfJob(session, 'topimg')
}
