import type { PrinterSession, Services } from '../../core/index.js'
import type {} from '../projects/index.js' // adds the optional service

/** Images that the job monitor renders of its last result. */
export const HEALTH_IMAGES = ['annotated', 'factors_radar', 'health_panel'] as const
export type HealthImage = (typeof HEALTH_IMAGES)[number]

/** The part of the job monitor that the stream page shows, provided by the plugin with a monitor. */
export interface JobHealth {
  /** The last result of a printer as plain data without images; undefined while there is none. */
  result (printer: string): object | undefined
  /** PNG, rendered on first request; undefined when the last result has none of that kind. Never rejects. */
  image (printer: string, kind: HealthImage): Promise<Uint8Array | undefined>
}

declare module 'prnd' {
  interface Services { jobHealth: JobHealth }
}

/** Images of the plate being printed: from the side, and from above with its objects. */
export type PlateImage = 'thumbnail' | 'layout'

/** `layout` has the objects marked where they can be drawn. @returns undefined for an unknown plate */
export async function plateImageOf (projects: Services['projects'] | undefined, session: PrinterSession,
  kind: PlateImage): Promise<Uint8Array | undefined> {
  if (kind === 'thumbnail') return projects?.pictureOfJob(session, 'thumbnail')
  return await projects?.layoutOfJob(session) ?? projects?.pictureOfJob(session, 'topimg')
}
