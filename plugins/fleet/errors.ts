import { defineError } from '../../core/index.js'

export const Unconfirmed = defineError<[operation: string, printer: string, holder: string]>('PRN_ERR_UNCONFIRMED',
  "'%s' on '%s' was sent to %s, which did not answer: whether it was done is unknown. Check the printer.", 504)
export const Superseded = defineError<[printer: string]>('PRN_ERR_SUPERSEDED',
  "The call for '%s' came too late, or this service no longer holds its session; nothing was sent. Try again.", 409)
export const Overloaded = defineError<[holder: string]>('PRN_ERR_OVERLOADED',
  '%s has too many calls at once; nothing was sent. Try again in a moment.', 503)
export const TooLarge = defineError<[what: string, mib: number]>('PRN_ERR_TOO_LARGE',
  '%s is larger than %d MiB, the limit between services', 409)
export const HoldsNone = defineError('PRN_ERR_HOLDS_NONE',
  'A hub has no sessions of its own: add the printer at one of the nodes.', 409)
export const HeldElsewhere = defineError<[printer: string, holder: string]>('PRN_ERR_HELD_ELSEWHERE',
  "'%s' is shared by several services, and this one does not hold it (%s does); nothing was sent.", 409)
