import { BadInput } from '../../core/index.js'
import { filterProblem } from '../broker/index.js'
import { ALSO, NEEDED, type PlugKind, type PlugSettings } from './kinds.data.js'
import { topicsOf } from './link/topics.js'
import type { PlugRow } from './tables.js'

export const settingsOf = ({ settings }: Pick<PlugRow, 'settings'>): PlugSettings =>
  JSON.parse(settings) as PlugSettings

/**
 * Settings without those that have no meaning for the kind.
 * @throws PRN_ERR_BAD_INPUT for one that is missing or wrong
 */
export function settingsFor (kind: PlugKind, given: PlugSettings): PlugSettings {
  for (const name of NEEDED[kind]) {
    if (given[name] === undefined) throw new BadInput(`settings.${name} is needed for a plug of kind ${kind}`)
  }
  if (given.host !== undefined && !URL.canParse(`http://${given.host}`)) {
    throw new BadInput('settings.host must be an address, such as 192.168.1.40')
  }
  const known: readonly string[] = [...NEEDED[kind], ...ALSO[kind]]
  const settings: PlugSettings = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)))
  for (const filter of topicsOf(kind, settings, '')?.filters ?? []) {
    const problem = filterProblem(filter)
    if (problem !== undefined) throw new BadInput(`settings.topic: ${problem}`)
  }
  return settings
}
