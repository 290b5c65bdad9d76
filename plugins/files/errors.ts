import { BadInput, CardProblem, defineError } from '../../core/index.js'

export const ListingFailed = defineError('PRN_ERR_LISTING_FAILED', 'SD card listing failed', 502)
export const CardFailed = defineError<[act: string, reason: string]>('PRN_ERR_CARD_FAILED', '%s failed: %s', 502)
export const FileMissing = defineError<[path: string]>('PRN_ERR_FILE_NOT_FOUND', 'File not found: %s', 404)
export const FileTooLarge = defineError('PRN_ERR_FILE_TOO_LARGE', 'file too large', 413)
export const HostPathRefused = defineError<[path: string, folders: string]>('PRN_ERR_HOST_PATH_REFUSED',
  "'%s' is outside the folders that files may be read from and written to: %s. " +
  'Others are allowed with the option plugins.files.hostFolders', 403)

/** The listing as a failure that says why; tools have words of their own for it. Whatever is no problem passes. */
export const listingFailed = (error: unknown): unknown => error instanceof CardProblem
  ? new ListingFailed({ cause: error })
    .with({ error: 'Failed to retrieve SD card contents', detail: error.message })
  : error

/**
 * Turns what a card threw into what a caller may read. Whatever is no problem of the card passes as it is.
 * @param act what failed, as in "upload"
 */
export function callerError (error: unknown, act: string, path?: string): unknown {
  if (!(error instanceof CardProblem)) return error
  if (error.code === 'bad_path') return new BadInput(error.message, { cause: error })
  if (error.code === 'not_found' && path !== undefined) return new FileMissing(path, { cause: error })
  return new CardFailed(act, error.message, { cause: error }).with({ card: error.code })
}
