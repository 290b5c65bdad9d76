import { defineError } from '../../core/index.js'

export const NoJob = defineError<[id: string]>('PRN_ERR_NO_SUCH_JOB', "There is no job '%s' in the queue", 404)
export const JobEnded = defineError<[id: string, state: string]>('PRN_ERR_QUEUE_JOB_ENDED',
  "Job '%s' is %s and does not change any more; queue it again", 409)
export const QueueFull = defineError<[most: number]>('PRN_ERR_QUEUE_FULL',
  'The queue holds %d open jobs, which is all it takes: cancel some, or wait', 409)
export const TooManyCopies = defineError<[most: number]>('PRN_ERR_QUEUE_COPIES',
  'More than %d copies would wait, which is all the queue takes: order fewer, or cancel jobs', 409)
export const NoSlicedFile = defineError<[file: string]>('PRN_ERR_NO_SLICED_FILE',
  "There is no sliced file '%s' in the library: add it to the sliced files of the queue first", 404)
export const SlicedFileNeeded = defineError<[file: string, job: string]>('PRN_ERR_SLICED_FILE_NEEDED',
  "'%s' is needed by job '%s': cancel the job first", 409)
export const NotSliced = defineError<[reason: string]>('PRN_ERR_NOT_SLICED',
  'This file cannot be queued: %s. Send a sliced .gcode.3mf', 400)
export const LibraryFull = defineError<[mib: number]>('PRN_ERR_LIBRARY_FULL',
  'The library holds %d MiB, which is all it may: delete files, or raise plugins.queue.libraryMiB', 507)
export const SlicedFileTooLarge = defineError<[mib: number]>('PRN_ERR_SLICED_FILE_TOO_LARGE',
  'The file is larger than %d MiB, the most that plugins.queue.fileMiB allows', 413)
export const RunActive = defineError<[printer: string, job: string]>('PRN_ERR_QUEUE_RUN_ACTIVE',
  "'%s' is at job '%s' of the queue: confirm the plate when that has ended", 409)
export const OutcomeWanted = defineError<[job: string, printer: string]>('PRN_ERR_QUEUE_OUTCOME',
  "Nobody knows whether job '%s' was printed on '%s': look at the plate and say so with outcome, printed or not_printed",
  409)
export const QueueDatabaseNeeded = defineError('PRN_ERR_QUEUE_DATABASE_NEEDED',
  'The queue of a fleet lies in a database that its services share: set plugins.database.url to the same PostgreSQL ' +
  'database at the nodes and at this hub.', 501)
export const PlateChanged = defineError<[printer: string, job: string, state: string]>('PRN_ERR_QUEUE_PLATE_CHANGED',
  "'%s' has begun or ended a print since you looked; it reports '%s', %s. Look at its plate again, then confirm", 409)
