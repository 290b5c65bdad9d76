import { defineError } from '../../core/index.js'

export const Forbidden = defineError<[reason: string]>('PRN_ERR_FORBIDDEN', '%s', 403)
export const Unauthorized = defineError('PRN_ERR_UNAUTHORIZED',
  'This service requires a token: send it as Authorization: Bearer', 401)
export const TooManyTries = defineError<[seconds: number]>('PRN_ERR_TOO_MANY_TRIES',
  'Too many requests with a wrong token came from this address; try again in %d s', 429)
export const NoRoute = defineError<[method: string, path: string]>('PRN_ERR_NO_ROUTE', 'There is no %s %s', 404)
export const MethodNotAllowed = defineError<[path: string, method: string, allowed: string]>(
  'PRN_ERR_METHOD_NOT_ALLOWED', '%s does not support %s; use %s', 405)
export const UnsupportedMediaType = defineError<[types: string]>('PRN_ERR_UNSUPPORTED_MEDIA_TYPE',
  'The content type of the body must be one of: %s', 415)
export const TooManyRequests = defineError<[most: number, seconds: number]>('PRN_ERR_TOO_MANY_REQUESTS',
  'More than %d such requests a minute came from this address; try again in %d s', 429)
export const TooManyFromAddress = defineError<[most: number]>('PRN_ERR_TOO_MANY_FROM_ADDRESS',
  'This address has %d such connections open already, the maximum; close some of them', 429)
