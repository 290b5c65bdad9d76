import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** Cannot be guessed: a key, or the cookie of a login. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
