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

declare module 'prn' {
  interface Services { jobHealth: JobHealth }
}

/** Pictures of the plate that is printed: from aside, and from above with its objects. */
export type PlateImage = 'thumbnail' | 'layout'

const DATA_URI = /^data:image\/[a-z]+;base64,/

/** From above: with the objects marked, where they can be drawn. @returns undefined for a plate that is not known */
export async function plateImageOf (projects: Services['projects'] | undefined, session: PrinterSession,
  kind: PlateImage): Promise<Uint8Array | undefined> {
  const { info = null } = projects?.ofJob(session) ?? {}
  if (info === null) return undefined
  const drawn = kind === 'layout' ? await projects?.layoutOfJob(session) : undefined
  if (drawn !== undefined) return drawn
  const text = kind === 'thumbnail' ? info.metadata.thumbnail : info.metadata.topimg
  return DATA_URI.test(text) ? Buffer.from(text.replace(DATA_URI, ''), 'base64') : undefined
}
