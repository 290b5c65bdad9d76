import { defineError } from '../../../core/index.js'

export const BadModel = defineError<[name: string, reason: string]>('PRN_ERR_BAD_MODEL',
  "'%s' cannot be used: %s", 400)
export const ModelTooLarge = defineError<[name: string, reason: string]>('PRN_ERR_MODEL_TOO_LARGE',
  "'%s' is too large: %s", 400)
export const DoesNotFit = defineError<[name: string, size: string, bed: string, remedy: string]>('PRN_ERR_DOES_NOT_FIT',
  "'%s' (%s mm) does not fit on the bed (%s mm): %s", 400)
export const ModelsBusy = defineError('PRN_ERR_MODELS_BUSY',
  'Too many models are waiting to be read. Try again in a minute', 503)
export const ModelWorkFailed = defineError<[reason: string]>('PRN_ERR_MODEL_WORK_FAILED',
  'The models could not be worked on: %s', 500)
