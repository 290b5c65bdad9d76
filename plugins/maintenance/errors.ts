import { defineError } from '../../core/index.js'

export const NoTask = defineError<[id: string]>('PRN_ERR_NO_SUCH_TASK',
  "There is no maintenance task '%s' here: see the list of maintenance", 404)
export const NoDoneTask = defineError<[id: string]>('PRN_ERR_NO_SUCH_DONE_TASK',
  "No maintenance '%s' is on record: see its history", 404)
export const NoPhoto = defineError<[id: string]>('PRN_ERR_NO_MAINTENANCE_PHOTO',
  "There is no photo of maintenance '%s' on this machine", 404)
export const BadPhoto = defineError<[reason: string]>('PRN_ERR_BAD_MAINTENANCE_PHOTO',
  'This is no photo that can be stored: %s. Send a JPEG, PNG or WebP picture of up to 12 MiB', 400)
export const TooManyTasks = defineError<[most: number]>('PRN_ERR_TOO_MANY_TASKS',
  'There are %d tasks of your own already: remove one first', 409)
export const PhotosFull = defineError<[photos: number]>('PRN_ERR_MAINTENANCE_PHOTOS_FULL',
  'This machine has room for no more photos of maintenance (there are %d): take back old entries that have one', 409)
