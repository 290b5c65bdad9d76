import { defineError } from '../../core/index.js'

export const TooManyListeners = defineError('PRN_ERR_TOO_MANY_LISTENERS',
  'Too many clients are listening already; try again later', 503)
export const BadTopic = defineError<[topic: string, plugin: string, problem: string]>(
  'PRN_ERR_LIVE_TOPIC', "Live topic '%s' of plugin '%s': %s")
