import { isServiceError, type PrinterSession } from '../../core/index.js'
import type { UsedPlate } from '../projects/index.js'
import type { PrinterObserver } from './printer-observer.js'
import type { Store } from './store/index.js'

export interface UsedPlateDeps {
  readonly store: Pick<Store, 'plates' | 'activeRun'>
  readonly observer: Pick<PrinterObserver, 'identity'>
}

const sinceWhat = ({ state }: PrinterSession): string => {
  const { subtaskName = '' } = state?.job ?? {}
  return subtaskName === '' ? 'its last print' : `'${subtaskName}' was printed`
}

/**
 * Warns about a used plate before a print is started by hand. Plates that were never confirmed clear are not managed
 * by the queue, and the queue's own starts reserve a clear one.
 */
export const createUsedPlate = ({ store, observer }: UsedPlateDeps): UsedPlate => async session => {
  const { name, config: { serial } } = session
  try {
    const plate = (await store.plates()).get(serial)
    if (plate === undefined || (plate.state === 'clear' && plate.job === observer.identity(session))) return undefined
    if (plate.state === 'taken' && (await store.activeRun(serial))?.state !== 'unknown') return undefined
    return `The plate of '${name}' has not been confirmed clear since ${sinceWhat(session)}.`
  } catch (error) {
    if (isServiceError(error)) return undefined // without its database the queue manages no plates
    throw error
  }
}
