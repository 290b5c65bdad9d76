import { randomInt } from 'node:crypto'
import { isServiceError, type Cost, type PrinterContext } from '../../../core/index.js'
import { ProjectUnreadable } from '../errors.js'
import { requestedPlate } from '../operations/mapping.js'
import { readInfo } from '../operations/read.js'
import { LARGEST_TASK_ID } from './project-file.js'

/** Errors after which the printer certainly does not print our job. */
const REFUSALS = new Set([
  'PRN_ERR_PLATE_REFUSED', 'PRN_ERR_FILAMENT_MISMATCH', 'PRN_ERR_PLATE_USED', 'PRN_ERR_JOB_ACTIVE', 'PRN_ERR_JOB_WAITS',
  'PRN_ERR_JOB_STARTING', 'PRN_ERR_OTHER_JOB', 'PRN_ERR_REFUSED', 'PRN_ERR_SIGNATURE_REQUIRED', 'PRN_ERR_UNSUPPORTED',
  'PRN_ERR_STATE_NOT_CURRENT', 'PRN_ERR_PRINTER_CLAIMED', 'PRN_ERR_LISTING_FAILED', 'PRN_ERR_CARD_FAILED',
  'PRN_ERR_BAD_INPUT', 'PRN_ERR_PLATE_FINDINGS'
])

export const isRefusedStart = (error: unknown): boolean => isServiceError(error) && REFUSALS.has(error.code)

/** Slicers write 0 where they do not know, and a file may say anything. */
const known = (value: number | null | undefined): number | undefined => value && value > 0 ? value : undefined

const SECONDS_PER_HOUR = 3_600

/** A plate as the slicer estimated it. */
interface Estimated { readonly seconds?: number | null | undefined, readonly grams?: number | null | undefined }

/** Cost of one print of a plate. */
export function plateCost ({ seconds, grams }: Estimated): Cost {
  const time = known(seconds)
  return { prints: 1, grams: known(grams), hours: time === undefined ? undefined : time / SECONDS_PER_HOUR }
}

type Context = Pick<PrinterContext, 'kernel' | 'services' | 'session' | 'signal'>

/** What a plate on the card would use; of a file that cannot be read only that it is a print. */
export async function costOnCard (context: Context, file: string, plate: number): Promise<Cost> {
  const { kernel, session, signal } = context
  if (session.remote === undefined) return plateCost((await requestedPlate(context, file, plate)).plate ?? {})
  try {
    const options = { printer: session.name, signal }
    const { plate_num: found, metadata } = await kernel.call(readInfo, { file, plate }, options)
    return plateCost(found === plate ? metadata : {})
  } catch (error) {
    if (isServiceError(error) && error.code === ProjectUnreadable.code) return plateCost({})
    throw error
  }
}

export const newTaskId = (): number => randomInt(1, LARGEST_TASK_ID)

/** A print in bookings of budgets. */
export const paidPrint = (serial: string, taskId: number | string): string => `print ${serial} ${taskId}`
