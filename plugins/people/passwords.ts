import { randomBytes } from 'node:crypto'
import { TooManyLogins } from './errors.js'

/** Each check takes 19 MiB and tens of milliseconds of CPU time. */
const MOST_AT_ONCE = 4

let running = 0

async function limited<T> (work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) throw new TooManyLogins()
  running++
  try {
    return await work()
  } finally {
    running--
  }
}

/** Argon2id with the library's default parameters, which are those OWASP recommends. Loaded on first use. */
const library = () => import('@node-rs/argon2')

/** @throws PRN_ERR_TOO_MANY_LOGINS */
export const hashPassword = (password: string): Promise<string> =>
  limited(async () => await (await library()).hash(password))

let decoy: Promise<string> | undefined

/**
 * Takes the same time without a user or a password, so that the time reveals nothing.
 * @throws PRN_ERR_TOO_MANY_LOGINS
 */
export const isPassword = (stored: string | null | undefined, password: string): Promise<boolean> =>
  limited(async () => {
    const { hash, verify } = await library()
    decoy ??= hash(randomBytes(16).toString('hex'))
    const isRight = await verify(stored ?? await decoy, password).catch(() => false)
    return isRight && typeof stored === 'string'
  })
