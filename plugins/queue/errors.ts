import { defineError } from '../../core/index.js'

export const NoJob = defineError<[id: string]>('PRN_ERR_NO_SUCH_JOB', "There is no job '%s' in the queue", 404)
export const JobEnded = defineError<[id: string, state: string]>('PRN_ERR_QUEUE_JOB_ENDED',
  "Job '%s' is %s and can no longer be changed; queue it again", 409)
export const QueueFull = defineError<[most: number]>('PRN_ERR_QUEUE_FULL',
  'The queue is full with %d open jobs: cancel some, or wait', 409)
export const TooManyCopies = defineError<[most: number]>('PRN_ERR_QUEUE_COPIES',
  'More than %d copies would wait, the most the queue takes: order fewer, or cancel jobs', 409)
export const NoSlicedFile = defineError<[file: string]>('PRN_ERR_NO_SLICED_FILE',
  "There is no sliced file '%s' in the library: add it to the sliced files of the queue first", 404)
export const SlicedFileNeeded = defineError<[file: string, job: string]>('PRN_ERR_SLICED_FILE_NEEDED',
  "'%s' is needed by job '%s': cancel the job first", 409)
export const NotSliced = defineError<[reason: string]>('PRN_ERR_NOT_SLICED',
  'This file cannot be queued: %s. Send a sliced .gcode.3mf', 400)
export const LibraryFull = defineError<[mib: number]>('PRN_ERR_LIBRARY_FULL',
  'The library would exceed %d MiB: delete files, or raise plugins.queue.libraryMiB', 507)
export const SlicedFileTooLarge = defineError<[mib: number]>('PRN_ERR_SLICED_FILE_TOO_LARGE',
  'The file is larger than %d MiB, the most that plugins.queue.fileMiB allows', 413)
export const RunActive = defineError<[printer: string, job: string]>('PRN_ERR_QUEUE_RUN_ACTIVE',
  "'%s' is working on job '%s' of the queue: confirm the plate when that has ended", 409)
export const OutcomeWanted = defineError<[job: string, printer: string]>('PRN_ERR_QUEUE_OUTCOME',
  "It is unknown whether job '%s' was printed on '%s': check the plate and set outcome to printed or not_printed", 409)
export const NotStopped = defineError<[printer: string]>('PRN_ERR_QUEUE_NOT_STOPPED',
  "'%s' is not held after failed prints, or is held again since you looked: read the queue again", 409)
export const QueueDatabaseNeeded = defineError('PRN_ERR_QUEUE_DATABASE_NEEDED',
  'The queue of a fleet needs a database that all its services share: set plugins.database.url to the same ' +
  'PostgreSQL database on the nodes and on this hub.', 501)
export const PlateChanged = defineError<[printer: string, job: string, state: string]>('PRN_ERR_QUEUE_PLATE_CHANGED',
  "'%s' has begun or ended a print since you checked; it reports '%s', %s. Check its plate again, then confirm", 409)
export const NoGroup = defineError<[name: string]>('PRN_ERR_NO_SUCH_GROUP', "The queue has no group '%s'", 404)
export const GroupExists = defineError<[name: string]>('PRN_ERR_QUEUE_GROUP_EXISTS',
  "There is a group '%s' already: change it, or choose another name", 409)
export const GroupsFull = defineError<[most: number]>('PRN_ERR_QUEUE_GROUPS_FULL',
  'The queue has %d groups, the most it takes: remove one first', 409)
export const GroupStays = defineError<[name: string, reason: string]>('PRN_ERR_QUEUE_GROUP_STAYS',
  "Group '%s' cannot be removed or renamed: %s", 409)
