import { defineError } from '../../core/index.js'

/** A slicer ended with an error, or wrote nothing that can be used. */
export const SlicerFailed = defineError<[slicer: string, reason: string]>('PRN_ERR_SLICER_FAILED', '%s could not slice the plate: %s', 422)

export const NoSlicer = defineError<[which: string]>('PRN_ERR_NO_SLICER',
  'There is no slicer%s on this host. Install one, or name the path of yours in the options of the plugin slicing', 501)

/** A profile is in the words of another slicer than the one that shall use it. */
export const WrongSlicer = defineError<[slicer: string, settings: string, others: string]>('PRN_ERR_WRONG_SLICER',
  '%s cannot slice with %s. Leave the engine out, or choose one of: %s', 409)

/** Plates go to the library of sliced files, which the queue has. */
export const NoSlicedLibrary = defineError('PRN_ERR_NO_SLICED_LIBRARY',
  'Plates are stored in the library of the queue, which this service does not have. Switch the plugin queue on', 501)

export const NoSlicingModel = defineError<[model: string]>('PRN_ERR_NO_SLICING_MODEL', "There is no model '%s'. Upload it again", 404)

export const NoImportedProfile = defineError<[name: string]>('PRN_ERR_NO_IMPORTED_PROFILE',
  "There is no imported profile '%s'. Import it again", 404)

export const NoSlicingJob = defineError<[job: string]>('PRN_ERR_NO_SLICING_JOB', "There is no slicing job '%s'", 404)

export const StartCodeNotAccepted = defineError<[printer: string]>('PRN_ERR_START_CODE_NOT_ACCEPTED',
  "The built-in profiles move '%s' with start code that was tried on virtual printers only. " +
  'Read what it does on the page Slice, and allow it for this printer', 409)

export const TooManySlicingJobs = defineError<[most: string]>('PRN_ERR_TOO_MANY_SLICING_JOBS',
  '%s plates wait to be sliced already. Wait for one of them, or cancel it', 429)

export const SlicingFull = defineError<[mib: string]>('PRN_ERR_SLICING_FULL',
  'There is no room for another model: %s MiB are taken. Delete models that you no longer need', 507)

export const NotPrintable = defineError<[reason: string]>('PRN_ERR_NOT_PRINTABLE', 'The plate was sliced, but it must not be printed: %s', 422)
