import { defineError } from '../../core/index.js'

export const NoDryingPlan = defineError<[id: string]>('PRN_ERR_NO_SUCH_DRYING_PLAN',
  "There is no drying plan '%s': see the list of plans", 404)
export const DryingPlanChanged = defineError('PRN_ERR_DRYING_PLAN_CHANGED',
  'The plan was changed meanwhile: read what it does now, then accept it', 409)
export const NotDryingAcceptor = defineError<[how: string]>('PRN_ERR_DRYING_ACCEPTOR',
  'A drying plan heats when nobody is there, so a person accepts it: %s', 403)
