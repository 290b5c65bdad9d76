import { BadInput, defineError, type Guard, type PrinterContext } from '../../core/index.js'
import { isTower } from '../projects/index.js'

export const NoJob = defineError<[printer: string, state: string]>(
  'PRN_ERR_NO_JOB', "'%s' has no job: it is %s", 409)

const WITHOUT_JOB = new Set(['IDLE', 'FINISH', 'FAILED'])

/**
 * Refuses what is meant for a job where there is none. A state that is not live proves nothing: then it is sent, as
 * to stop a printer must not depend on how well its reports come in.
 */
export const hasJob: Guard = ({ session: { name, service, live, state } }) => {
  const now = state?.job.gcodeState ?? ''
  if (service === 'CONNECTED' && live && WITHOUT_JOB.has(now)) throw new NoJob(name, now)
}

interface PlateObject { readonly id: number, readonly name: string }

/** What lies on the plate that is being printed; undefined while that is not known. */
function boxesOf ({ optional: { projects }, session }: PrinterContext): readonly PlateObject[] | undefined {
  if (projects === undefined) return undefined // an application may have none
  const { info } = projects.ofJob(session)
  if (info === null) return undefined
  const isOnlyPlate = info.plates.length === 1
  if (!isOnlyPlate && session.state?.job.plate !== info.plate_num) return undefined
  return info.metadata.map.bbox_objects
}

const listed = (objects: readonly PlateObject[]): string => objects.length === 0
  ? 'none that can be skipped'
  : objects.map(({ id, name }) => name === '' ? String(id) : `${id} (${name})`).join(', ')

/** Firmware skips objects on plates of up to so many; on others it goes on with all of them. */
const MOST_SKIPPABLE = 64

/**
 * Printers pass over ids that they do not know: these are refused with those that the plate has. The wipe tower is
 * no object.
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
  const strangers = ids.filter(id => !objects.some(object => object.id === id))
  if (strangers.length === 0) return
  const tower = boxes.find(({ id, name }) => isTower(name) && strangers.includes(id))
  const problem = tower === undefined
    ? `The plate has no object ${strangers.join(', ')}`
    : `${tower.id} is the wipe tower, which cannot be skipped`
  throw new BadInput(`${problem}; its objects: ${listed(objects)}`)
    .with({ objects: objects.map(({ id, name }) => ({ id, name })) })
}
