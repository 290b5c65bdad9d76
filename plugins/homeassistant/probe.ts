import { BadConfig, validationError } from '../../core/index.js'
import { mqttBroker } from '../broker/index.js'
import { loginOf, Options } from './options.js'

/**
 * Tries to log in. @param options as configured
 * @returns false when no broker is configured
 * @throws Error with the reason for the failure
 */
export async function probeBroker (options: object): Promise<boolean> {
  const given = options as Options
  const problem = validationError(Options, given)
  if (problem !== undefined) throw new BadConfig(`plugins.homeassistant: ${problem}`)
  if (given.broker === undefined) return false
  const { tryLogin } = await mqttBroker()
  await tryLogin(await loginOf(given))
  return true
}
