import { InvalidArgumentError } from 'commander'

/** A plugin's name as a package, and inside the service. */
export interface PluginName { readonly package: string, readonly name: string }

const PREFIX = 'prnd-plugin-'
const PARTS = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?(?:prnd-plugin-)?([^/]*)$/
const SHORT = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const LONGEST_NAME = 40

/**
 * `bed-watch`, `prnd-plugin-bed-watch` or `@me/prnd-plugin-bed-watch`, for commander.
 * @throws InvalidArgumentError
 */
export function pluginName (text: string): PluginName {
  const [, scope, name = ''] = PARTS.exec(text) ?? []
  if (!SHORT.test(name) || name.length > LONGEST_NAME) {
    throw new InvalidArgumentError('a name has lower-case letters, digits and single hyphens, begins with a letter, ' +
      `and is ${LONGEST_NAME} long at most`)
  }
  return { name, package: `${scope === undefined ? '' : `${scope}/`}${PREFIX}${name}` }
}
