import { callerError } from './errors.js'

/**
 * Does something with a card; its problems become errors for callers.
 * @param act what failed, as in "upload"
 * @param path named in the error when nothing lies there
 */
export async function cardCall<T> (act: string, path: string | undefined, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw callerError(error, act, path)
  }
}
