import { defineError } from '../../core/index.js'

/** Why an archive is not a project; the detail of the errors below. */
export const BadArchive = defineError<[problem: string]>('PRN_ERR_BAD_ARCHIVE', '%s', 400)
export const ProjectUnreadable = defineError<[path: string]>(
  'PRN_ERR_PROJECT_UNREADABLE', "Could not retrieve project info for '%s'", 404)
export const NoProjectFile = defineError('PRN_ERR_NO_PROJECT_FILE', 'No file found', 404)
export const NoJobProject = defineError('PRN_ERR_NO_JOB_PROJECT', 'No Job Found', 404)
export const NoActiveJob = defineError('PRN_ERR_NO_ACTIVE_JOB', 'no_active_job', 404)
export const NoPlateImage = defineError<[kind: string, plate: number]>(
  'PRN_ERR_NO_PLATE_IMAGE', 'No %s image available for plate %d', 404)
export const NoTopView = defineError(
  'PRN_ERR_NO_TOP_VIEW', 'No top-down image available for this plate', 404)
export const NoObjects = defineError(
  'PRN_ERR_NO_OBJECTS', 'No bounding-box objects found for this plate', 404)
/** The plate cannot be printed as requested; nothing was sent. */
export const PlateRefused = defineError<[reason: string]>('PRN_ERR_PLATE_REFUSED', '%s', 400)
/** A spool of another material or colour, or on the wrong side; `accept_mismatch` overrides it. */
export const FilamentMismatch = defineError<[printer: string, detail: string]>(
  'PRN_ERR_FILAMENT_MISMATCH', "Nothing was sent to '%s': %s", 409)
/** Something was printed since the plate was last confirmed clear; `accept_mismatch` overrides it. */
export const PlateUsed = defineError<[printer: string, detail: string]>(
  'PRN_ERR_PLATE_USED', "Nothing was sent to '%s': %s", 409)
/** The G-code of the plate would harm the printer or spoil the print; `accept_findings` overrides some of it. */
export const PlateFindings = defineError<[printer: string, detail: string]>(
  'PRN_ERR_PLATE_FINDINGS', "Nothing was sent to '%s': %s", 409)
export const JobStarting = defineError<[printer: string, act: string, job: string, since: string]>('PRN_ERR_JOB_STARTING',
  "'%s' has %s a job but has not reported it yet ('%s', sent %s). Wait until it begins, shows an error or is " +
  'restarted. If it never does, give up that start (POST /api/give_up_start, tool give_up_start) and try again', 409)
export const OtherJob = defineError<[printer: string, job: string]>('PRN_ERR_OTHER_JOB',
  "'%s' is running another job, '%s', that was started at the same time: this print was not started", 409)
/** A paused job must be resumed or cancelled first. */
export const JobWaits = defineError<[printer: string, state: string]>(
  'PRN_ERR_JOB_WAITS', "'%s' is %s: resume or cancel the job before starting another one", 409)
export const NoPendingStart = defineError<[printer: string]>('PRN_ERR_NO_PENDING_START',
  "'%s' has no pending start: there is nothing to give up", 409)
/** The caller means another start than the pending one. */
export const OtherStart = defineError<[printer: string, job: string]>('PRN_ERR_OTHER_START',
  "'%s' waits for another start by now, that of '%s': nothing was given up. Check the printer, and decide again", 409)
