import { defineError } from '../../core/index.js'

export const NoSuchGrant = defineError<[name: string]>('PRN_ERR_NO_GRANT', "There is no '%s'", 404)
export const GrantsFull = defineError<[most: number]>('PRN_ERR_GRANTS_FULL',
  'No more programs can be connected: %d are the limit. Disconnect one first.', 409)
export const OAuthRequestRefused = defineError<[reason: string]>('PRN_ERR_OAUTH_REQUEST',
  'This program cannot be connected: %s', 400)
export const OAuthNotOffered = defineError<[reason: string]>('PRN_ERR_OAUTH_NOT_OFFERED',
  'Programs cannot be connected here: %s', 409)
export const OnlyUsersGrant = defineError('PRN_ERR_ONLY_USERS_GRANT',
  'Only a user who is logged in can connect a program: log out here, and log in with your name', 403)
export const TokenReused = defineError<[what: string]>('PRN_ERR_TOKEN_REUSED',
  'A %s was used a second time, so somebody else may have it: the program is disconnected', 400)
