import { defineError } from '../../core/index.js'

export const TaskRunning = defineError<[name: string]>('PRN_ERR_NETWORK_TASK',
  "'%s' is still being fetched or installed: wait until it is done, or cancel it", 409)

export const NoSuchNetwork = defineError<[name: string]>('PRN_ERR_NO_SUCH_NETWORK', "There is no network '%s'", 404)

export const NoRuntime = defineError<[]>('PRN_ERR_NO_NETWORK_RUNTIME',
  'What computes networks is not installed: install it on the page Monitor, or with prnd health runtime install', 409)

export const RemoteIsConfigured = defineError<[]>('PRN_ERR_REMOTE_CONFIGURED',
  'The server that judges pictures is set in the configuration file: change it there', 409)

export const NotJudged = defineError<[reason: string]>('PRN_ERR_PICTURE_NOT_JUDGED', 'The picture could not be judged: %s', 400)
