import { BadInput, defineError, isStartPending, type Guard, type PrinterContext } from '../../core/index.js'
import { isTower } from '../projects/index.js'

export const NoJob = defineError<[printer: string, state: string]>(
  'PRN_ERR_NO_JOB', "'%s' has no job: it is %s", 409)

const WITHOUT_JOB = new Set(['IDLE', 'FINISH', 'FAILED'])

/**
 * Refuses commands for a job if there is none. If the state is not current, the command is sent anyway: stopping a
 * printer must not depend on its reports. It is sent also while a start is on its way, as the printer may go on showing
 * the job before it for minutes.
 */
export const hasJob: Guard = ({ session: { name, service, live, state, context }, kernel }) => {
  const now = state?.job.gcodeState ?? ''
  if (isStartPending(context.start, kernel.now())) return
  if (service === 'CONNECTED' && live && WITHOUT_JOB.has(now)) throw new NoJob(name, now)
}

export const JobChanged = defineError<[printer: string]>('PRN_ERR_JOB_CHANGED',
  "'%s' is at another job by now: nothing was sent. Look at what it prints, and decide again", 409)

const MS_PER_S = 1000

/**
 * Refuses what was decided of another job, such as a question that was left open while the next print began.
 * @param start of the job that is meant, s since the epoch as in its record; undefined: whichever it is
 * @throws PRN_ERR_JOB_CHANGED
 */
export function checkJob ({ session: { name, state } }: Pick<PrinterContext, 'session'>, start: number | undefined): void {
  const startedAt = state?.job.startedAt
  if (start !== undefined && startedAt !== undefined && startedAt / MS_PER_S !== start) throw new JobChanged(name)
}

interface PlateObject { readonly id: number, readonly name: string }

/** The objects on the plate being printed; undefined if unknown. */
function boxesOf ({ optional: { projects }, session }: PrinterContext): readonly PlateObject[] | undefined {
  if (projects === undefined) return undefined // the plugin is optional
  const { info } = projects.ofJob(session)
  if (info === null) return undefined
  const isOnlyPlate = info.plates.length === 1
  if (!isOnlyPlate && session.state?.job.plate !== info.plate_num) return undefined
  return info.metadata.map.bbox_objects
}

const listed = (objects: readonly PlateObject[]): string => objects.length === 0
  ? 'none that can be skipped'
  : objects.map(({ id, name }) => name === '' ? String(id) : `${id} (${name})`).join(', ')

/** Firmware skips objects only on plates with at most this many; on others it ignores the command. */
const MOST_SKIPPABLE = 64

/**
 * Printers ignore unknown ids, so they are refused with a list of the plate's objects. The wipe tower is not an object.
 * @throws PRN_ERR_BAD_INPUT
 */
export function checkObjects (context: PrinterContext, ids: readonly number[]): void {
  const boxes = boxesOf(context)
  if (boxes === undefined || boxes.length === 0) return
  const objects = boxes.filter(({ name }) => !isTower(name))
  if (objects.length > MOST_SKIPPABLE) {
    throw new BadInput(`The plate has ${objects.length} objects, and printers skip only on plates of up to ` +
      `${MOST_SKIPPABLE}: all ${objects.length} go on. Nothing was sent; cancel the job if one of them has failed`)
  }
  const unknown = ids.filter(id => !objects.some(object => object.id === id))
  if (unknown.length === 0) return
  const tower = boxes.find(({ id, name }) => isTower(name) && unknown.includes(id))
  const problem = tower === undefined
    ? `The plate has no object ${unknown.join(', ')}`
    : `${tower.id} is the wipe tower, which cannot be skipped`
  throw new BadInput(`${problem}; its objects: ${listed(objects)}`)
    .with({ objects: objects.map(({ id, name }) => ({ id, name })) })
}
