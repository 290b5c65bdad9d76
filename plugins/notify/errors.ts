import { defineError } from '../../core/index.js'

export const NoTarget = defineError<[name: string, known: string]>('PRN_ERR_NO_SUCH_TARGET',
  "There is no target '%s' for messages; there are: %s", 404)

export const NotTaken = defineError<[target: string, reason: string]>('PRN_ERR_MESSAGE_NOT_TAKEN',
  "'%s' did not accept the message: %s", 502)

export const BadTargetKind = defineError<[type: string, plugin: string, problem: string]>('PRN_ERR_MESSAGE_TARGET',
  "The kind of target '%s' of plugin '%s' cannot be used: %s", 500)

export const TargetExists = defineError<[name: string]>('PRN_ERR_TARGET_EXISTS',
  "There is a target '%s' for messages already: choose another name", 409)

export const TargetFixed = defineError<[name: string]>('PRN_ERR_TARGET_FIXED',
  "The target '%s' is in the configuration file: change it there", 409)

export const TargetsFull = defineError<[most: number]>('PRN_ERR_TARGETS_FULL',
  'There are %d targets for messages already: remove one first', 409)

export const QuietFixed = defineError('PRN_ERR_QUIET_HOURS_FIXED',
  'The quiet hours are in the configuration file: change them there', 409)
