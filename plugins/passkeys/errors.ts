import { defineError } from '../../core/index.js'

export const NoPasskeysHere = defineError<[host: string]>('PRN_ERR_NO_PASSKEYS_HERE',
  "Browsers allow passkeys only on encrypted pages of a host name, and on localhost: '%s' is neither. Open the service by its " +
  'name with https://.', 409)
export const PasskeyRefused = defineError<[reason: string]>('PRN_ERR_PASSKEY_REFUSED', 'The passkey was not accepted: %s', 403)
export const NoSuchPasskey = defineError('PRN_ERR_NO_PASSKEY', 'You have no such passkey', 404)
export const TooManyPasskeys = defineError<[most: number]>('PRN_ERR_TOO_MANY_PASSKEYS',
  'No more passkeys can be added: %d are the limit. Remove one first.', 409)
export const LastPasskey = defineError('PRN_ERR_LAST_PASSKEY',
  'Your password alone is not enough, and this is your last passkey: let the password in again first', 409)
export const NoPasskeyYet = defineError('PRN_ERR_NO_PASSKEY_YET',
  'Add a passkey first: without one, nobody could log in without the password', 409)
