import { isServiceError, type PluginContext, type PrinterSession } from '../../core/index.js'
import type { Print } from '../history/index.js'
import type { UsedPlate } from '../projects/index.js'
import type { Queue } from './open-queue.js'
import { partsOn } from './parts.js'
import { isOurs } from './run-verdict.js'
import type { QueueService } from './service.js'

const sinceWhat = ({ state }: PrinterSession): string => {
  const { subtaskName = '' } = state?.job ?? {}
  return subtaskName === '' ? 'its last print' : `'${subtaskName}' was printed`
}

/**
 * Warns about a used plate before a print is started by hand. Plates that were never confirmed clear are not managed
 * by the queue, and the queue's own starts reserve a clear one.
 */
const createUsedPlate = ({ store, observer }: Pick<QueueService, 'store' | 'observer'>): UsedPlate => async session => {
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

/** Connects the queue with prints that are started by hand: warns about used plates, and learns of starts given up. */
export function connectProjects ({ services: { projects }, onClose }: PluginContext, { service }: Queue): void {
  projects.watchPlatesBy(createUsedPlate(service))
  onClose(projects.onGivenUp((session, by, which) => service.runner.giveUp(session, by, which)))
}

/** Connects the queue with the record of prints: links prints to jobs, and offers their files for a reprint. */
export function connectHistory (
  { events, log, optional, printers, services }: PluginContext, { service: { store, library }, role, ended }: Queue
): void {
  optional.history?.offerFiles(async ({ id }, session, path, signal) => {
    const file = await store.fileOfPrint(id)
    const found = file === undefined ? undefined : await library.verified(file).catch(() => undefined)
    if (found !== undefined) await services.files.upload(session, found, path, { signal })
    return found !== undefined
  })
  /** Asks the database, since the last turn may be older than the run. */
  async function linkPrint (serial: string, print: Print): Promise<void> {
    const run = await store.unlinkedRun(serial, run => isOurs(run, print.job))
    if (run === undefined) return
    const file = (await store.files()).find(({ id }) => id === run.file)
    optional.history?.linkJob(print.id, run.job, partsOn(file, run))
    await store.linkPrint(run, print.id)
  }
  events.on('history:print', (printer, print) => {
    const serial = printers.config(printer)?.serial
    if (serial === undefined || print.queueJob !== undefined || role() === 'none') return
    linkPrint(serial, print).catch((error: Error) => log.debug({ err: error }, 'a print could not be linked to its job'))
  })
  events.on('history:ended-unseen', printer => {
    const session = printers.get(printer)
    if (session && role() !== 'none') ended(session)
  })
}
