import { BadInput, SdCardError, defineError, type SdCardErrorCode } from '../../core/index.js'

export const ListingFailed = defineError('PRN_ERR_LISTING_FAILED', 'SD card listing failed', 502)
export const CardFailed = defineError<[act: string, reason: string]>('PRN_ERR_CARD_FAILED', '%s failed: %s', 502)
export const FileMissing = defineError<[path: string]>('PRN_ERR_FILE_NOT_FOUND', 'File not found: %s', 404)
export const FileTooLarge = defineError('PRN_ERR_FILE_TOO_LARGE', 'file too large', 413)
export const HostPathRefused = defineError<[path: string, folders: string]>('PRN_ERR_HOST_PATH_REFUSED',
  "'%s' is outside the folders where files may be read and written: %s. " +
  'Allow others with the option plugins.files.hostFolders', 403)

/** A user cancelled it by its id. */
export const TransferCancelled = defineError('PRN_ERR_TRANSFER_CANCELLED', 'The transfer was cancelled', 409)
export const HostPathClosed = defineError<[path: string]>('PRN_ERR_HOST_PATH_CLOSED',
  "'%s' is a hidden file, or lies in a folder of the service, its configuration, its data or its plugins: files there " +
  'are never read or written, whatever plugins.files.hostFolders says', 403)
export const UploadsFull = defineError<[mib: number, folder: string]>('PRN_ERR_UPLOADS_FULL',
  'The uploads folder is limited to %d MiB and 10,000 files, and has no room for the file: delete files in %s, or raise plugins.files.uploadsMiB', 507)
export const OwnFilesFull = defineError<[mib: number]>('PRN_ERR_OWN_FILES_FULL',
  'Files that you sent are limited to %d MiB and this one has no room: wait until others are on their printers, or ask an ' +
  'administrator to raise plugins.files.ownUploadsMiB or plugins.files.uploadsMiB', 507)
export const OwnFilesOnly = defineError<[path: string]>('PRN_ERR_OWN_FILES_ONLY',
  "'%s' is not one of your files: with access to some printers only, name your uploads without a folder", 403)
export const SpoolFull = defineError<[mib: number]>('PRN_ERR_SPOOL_FULL',
  'Unfinished downloads fill the %d MiB reserved for them: try again soon, or raise plugins.files.spoolMiB', 503)
/** Aborts a response that has already started. */
export const ReaderStalled = defineError<[seconds: number]>('PRN_ERR_READER_STALLED',
  'The download was aborted: nothing was read for %d s', 408)
/** Errors of every operation that reads a card. */
export const CARD_ERRORS = [ListingFailed, CardFailed] as const
export const FileInUse = defineError<[path: string, reason: string]>(
  'PRN_ERR_FILE_IN_USE', "'%s' cannot be changed now: %s", 409)

/** A listing error with its cause; tools word it differently. Other errors pass unchanged. */
export const listingFailed = (error: unknown): unknown => error instanceof SdCardError
  ? new ListingFailed({ cause: error })
    .with({ error: 'Failed to retrieve SD card contents', detail: error.message })
  : error

/** For callers who want the last listing before there is one: an empty card would be wrong. */
export const nothingListed = (): Error => new ListingFailed().with({
  error: 'Failed to retrieve SD card contents',
  detail: 'The card has not been listed since the service started. Call it without cached, or refresh_sdcard first.'
})

/** The path is of the wrong kind for the request; the message says which kind it is. */
const WRONG_PATH: ReadonlySet<SdCardErrorCode> = new Set(['bad_path', 'is_file', 'is_folder', 'no_folder'])

/**
 * Converts an error of a card for callers. Other errors pass unchanged.
 * @param act what failed, as in "upload"
 */
export function callerError (error: unknown, act: string, path?: string): unknown {
  if (!(error instanceof SdCardError)) return error
  if (WRONG_PATH.has(error.code)) return new BadInput(error.message, { cause: error })
  if (error.code === 'not_found' && path !== undefined) return new FileMissing(path, { cause: error })
  return new CardFailed(act, error.message, { cause: error }).with({ card: error.code })
}
