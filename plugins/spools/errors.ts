import { defineError } from '../../core/index.js'

export const NoSpool = defineError<[id: string]>('PRN_ERR_NO_SUCH_SPOOL',
  "There is no spool '%s': see the list of spools", 404)
export const NoSlot = defineError<[printer: string, place: string]>('PRN_ERR_NO_SUCH_SLOT',
  "'%s' reports no slot '%s': see the slots in the list of spools", 404)
export const ManagedInSpoolman = defineError('PRN_ERR_SPOOLS_KEPT_ELSEWHERE',
  'Spools are managed in Spoolman: add and change them there', 409)
export const NoOpenUse = defineError<[id: string]>('PRN_ERR_NO_OPEN_USE',
  "No use '%s' of a spool is waiting for a decision", 404)
export const SpoolmanFailed = defineError<[reason: string]>('PRN_ERR_SPOOLMAN', 'Spoolman does not respond: %s', 502)
export const NoSpoolType = defineError<[id: string]>('PRN_ERR_NO_SUCH_SPOOL_TYPE',
  "There is no type of spools '%s': see the types in the inventory", 404)
export const NoSpoolPlace = defineError<[id: string]>('PRN_ERR_NO_SUCH_SPOOL_PLACE',
  "There is no place '%s' for spools: see the places in the inventory", 404)
export const SpoolPlaceInUse = defineError<[name: string, spools: number]>('PRN_ERR_SPOOL_PLACE_IN_USE',
  "'%s' still holds spools (%d): move them first", 409)
export const SpoolStays = defineError<[id: string]>('PRN_ERR_SPOOL_STAYS',
  "Spool '%s' stays: only an archived spool that no print used is removed for good", 409)
