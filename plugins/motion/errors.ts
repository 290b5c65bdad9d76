import { defineError } from '../../core/index.js'

/** `why` in the body has the reason as a code. */
export const CannotMove = defineError<[printer: string, reason: string]>(
  'PRN_ERR_CANNOT_MOVE', "'%s' cannot be moved by hand now: %s. Nothing was sent.", 409)
