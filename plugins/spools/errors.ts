import { defineError } from '../../core/index.js'

export const NoSpool = defineError<[id: string]>('PRN_ERR_NO_SUCH_SPOOL',
  "There is no spool '%s': the list of spools has those that are known", 404)
export const NoSlot = defineError<[printer: string, place: string]>('PRN_ERR_NO_SUCH_SLOT',
  "'%s' reports no slot '%s': the list of spools has the slots of all printers", 404)
export const KeptElsewhere = defineError('PRN_ERR_SPOOLS_KEPT_ELSEWHERE',
  'Spools are kept in Spoolman: add and change them there', 409)
export const NoOpenUse = defineError<[id: string]>('PRN_ERR_NO_OPEN_USE',
  "There is no use '%s' of a spool that waits for a decision", 404)
export const SpoolmanFailed = defineError<[reason: string]>('PRN_ERR_SPOOLMAN', 'Spoolman cannot be asked: %s', 502)
