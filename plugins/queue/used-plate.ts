import { isServiceError, type PrinterSession } from '../../core/index.js'
import type { UsedPlate } from '../projects/index.js'
import type { Sights } from './sights.js'
import type { Store } from './store/index.js'

export interface UsedPlateDeps {
  readonly store: Pick<Store, 'plates' | 'activeRun'>
  readonly sights: Pick<Sights, 'identity'>
}

const sinceWhat = ({ state }: PrinterSession): string => {
  const { subtaskName = '' } = state?.job ?? {}
  return subtaskName === '' ? 'its last print' : `'${subtaskName}' was printed`
}

/**
 * What a print that is started by hand is told of the plate. A plate that was never confirmed clear is one that the
 * queue does not look after, and the queue's own start holds a plate that was.
 */
export const createUsedPlate = ({ store, sights }: UsedPlateDeps): UsedPlate => async session => {
  const { name, config: { serial } } = session
  try {
    const plate = (await store.plates()).get(serial)
    if (plate === undefined || (plate.state === 'clear' && plate.job === sights.identity(session))) return undefined
    if (plate.state === 'taken' && (await store.activeRun(serial))?.state !== 'unknown') return undefined
    return `Nobody has told the queue that the plate of '${name}' is clear since ${sinceWhat(session)}.`
  } catch (error) {
    if (isServiceError(error)) return undefined // without its database the queue knows of no plate
    throw error
  }
}
