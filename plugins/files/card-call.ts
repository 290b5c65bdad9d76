import { callerError } from './errors.js'

/**
 * Runs work on a card and converts its errors for callers.
 * @param act what failed, as in "upload"
 * @param path reported when nothing exists there
 */
export async function cardCall<T> (act: string, path: string | undefined, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw callerError(error, act, path)
  }
}
