import { defineError } from '../../core/index.js'

export const NoTarget = defineError<[name: string, known: string]>('PRN_ERR_NO_SUCH_TARGET',
  "There is no target '%s' for messages; there are: %s", 404)

export const NotTaken = defineError<[target: string, reason: string]>('PRN_ERR_MESSAGE_NOT_TAKEN',
  "'%s' did not accept the message: %s", 502)

export const BadTargetKind = defineError<[type: string, plugin: string, problem: string]>('PRN_ERR_MESSAGE_TARGET',
  "The kind of target '%s' of plugin '%s' cannot be used: %s", 500)
