import { defineError } from '../../core/index.js'

export const DiscoveryFailed = defineError<[reason: string]>('PRN_ERR_DISCOVERY_FAILED', 'Discovery failed: %s', 409)
export const NotConfigured = defineError<[name: string]>(
  'PRN_ERR_NOT_CONFIGURED', "Printer '%s' is not configured.", 404)
/** The probe showed that the entry must not be stored. */
export const NotAdmitted = defineError<[name: string, reason: string]>(
  'PRN_ERR_NOT_ADMITTED', "Nothing was saved for '%s': %s", 409)
export const CodeNeeded = defineError<[what: string, name: string]>('PRN_ERR_CODE_NEEDED',
  "Changing the %s of '%s' requires its access_code in the same call. A stored code is sent only to the printer it was stored for.", 400)
export const SavedOffline = defineError<[name: string, reason: string]>(
  'PRN_ERR_SAVED_OFFLINE', "Credentials saved for '%s' but session failed to start: %s", 409)
export const UpdatedOffline = defineError<[name: string, reason: string]>(
  'PRN_ERR_UPDATED_OFFLINE', "Credentials updated for '%s' but session restart failed: %s", 409)
export const NotErased = defineError<[name: string, reason: string]>(
  'PRN_ERR_NOT_ERASED', "Session stopped for '%s' but error deleting credentials: %s", 409)
export const NotStarted = defineError<[reason: string]>('PRN_ERR_SESSION_NOT_STARTED', '%s', 502)
