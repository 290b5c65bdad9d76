import { defineError } from '../../core/index.js'

export const NoUnit = defineError<[unit: number, printer: string]>(
  'PRN_ERR_NO_AMS_UNIT', "AMS unit %d not found on '%s'.", 400)
export const CannotDry = defineError<[reason: string, printer: string]>(
  'PRN_ERR_CANNOT_DRY', "%s Nothing was sent to '%s'.", 400)
export const NotDrying = defineError<[state: string]>(
  'PRN_ERR_NOT_DRYING',
  'dryer command sent but heater_state did not reach DRYING within 10s (final: %s)', 500)
/** {@link NotDrying} for agents: an answer about the printer, not a failure of the service. */
export const DryingUnproven = defineError<[unit: number, id: number, printer: string, state: string]>(
  'PRN_ERR_DRYING_UNPROVEN',
  "the command to dry was sent, but AMS unit %d (ams_id=%d) on '%s' did not reach DRYING within 10 s " +
  '(last state: %s). Check the printer.', 409)
