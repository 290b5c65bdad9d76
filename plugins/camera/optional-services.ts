import type { PrinterSession, Services } from '../../core/index.js'
import type {} from '../projects/index.js' // adds the optional service

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

declare module 'prnd' {
  interface Services { jobHealth: JobHealth }
}

/** Pictures of the plate that is printed: from aside, and from above with its objects. */
export type PlateImage = 'thumbnail' | 'layout'

/** From above: with the objects marked, where they can be drawn. @returns undefined for a plate that is not known */
export async function plateImageOf (projects: Services['projects'] | undefined, session: PrinterSession,
  kind: PlateImage): Promise<Uint8Array | undefined> {
  if (kind === 'thumbnail') return projects?.pictureOfJob(session, 'thumbnail')
  return await projects?.layoutOfJob(session) ?? projects?.pictureOfJob(session, 'topimg')
}
