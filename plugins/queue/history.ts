import type { PluginContext } from '../../core/index.js'
import type { Print } from '../history/index.js'
import type { Queue } from './open-queue.js'
import { isOurs } from './run-verdict.js'

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
    optional.history?.linkJob(print.id, run.job)
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
