import type { PrinterSession } from '../../../core/index.js'
import type { CameraCheck } from '../evidence/camera-check.js'
import type { Mask } from '../evidence/compare-pictures.js'
import { checkSensor } from '../evidence/sensor-check.js'
import type { Evidence, SensorBroker } from '../evidence/types.js'
import type { Recipe } from '../recipe/types.js'

export interface EvidenceDeps {
  readonly camera: Pick<CameraCheck, 'check'>
  readonly broker: () => SensorBroker | undefined
  readonly waitMs: number
}

export interface EvidenceOrder {
  readonly session: PrinterSession
  readonly recipe: Pick<Recipe, 'check' | 'sensor'>
  readonly mask: Mask
  /** Hash of the measured error that a person accepted; empty for none. */
  readonly measured: string
  readonly signal: AbortSignal
}

/** Asks everything that the recipe names. Only if all of them find the plate empty it is. */
export async function findEvidence (
  { camera, broker, waitMs }: EvidenceDeps, { session, recipe, mask, measured, signal }: EvidenceOrder
): Promise<Evidence> {
  const { check, sensor } = recipe
  if (session.state?.errors.faults.some(({ type }) => type === 'device_error')) return { verdict: 'unsure', reason: 'the printer shows an error' }
  if (check === 'person') return { verdict: 'unsure', reason: 'the recipe leaves it to a person' }
  const found: Evidence[] = []
  if (check !== 'camera') found.push(await checkSensor(broker(), sensor, { waitMs, signal }))
  if (check !== 'sensor') found.push(await pictureEvidence(camera, { session, mask, measured, signal }))
  const reason = found.map(evidence => evidence.reason).join('; ')
  if (found.every(({ verdict }) => verdict === 'empty')) return { verdict: 'empty', reason }
  if (found.some(({ verdict }) => verdict === 'full')) return { verdict: 'full', reason }
  return { verdict: 'unsure', reason, isMissing: found.every(({ verdict, isMissing }) => verdict === 'empty' || isMissing === true) }
}

async function pictureEvidence (
  camera: Pick<CameraCheck, 'check'>, { session, mask, measured, signal }: Omit<EvidenceOrder, 'recipe'>
): Promise<Evidence> {
  try {
    return await camera.check(session, mask, measured, signal)
  } catch (error) {
    return { verdict: 'unsure', reason: `there is no picture: ${(error as Error).message}`, isMissing: !signal.aborted }
  }
}
