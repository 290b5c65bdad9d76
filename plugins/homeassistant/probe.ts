import { BadConfig, validationError } from '../../core/index.js'
import { loginOf, Options } from './options.js'

/**
 * Tries to log in, with options as the configuration has them.
 * @returns false where no broker is configured
 * @throws Error with what hinders it
 */
export async function probeBroker (options: object): Promise<boolean> {
  const given = options as Options
  const problem = validationError(Options, given)
  if (problem !== undefined) throw new BadConfig(`plugins.homeassistant: ${problem}`)
  if (given.broker === undefined) return false
  const { tryLogin } = await import('./broker.js') // the library is of use only here
  await tryLogin(await loginOf(given))
  return true
}
