import type { PluginFault, PluginFaults } from './plugin-faults.js'
import type { OutsidePlugin, PluginProblem, SkippedPlugin } from './types.js'

interface ProblemSource {
  readonly skipped: readonly SkippedPlugin[]
  readonly outside: readonly OutsidePlugin[]
  readonly pluginFaults: Pick<PluginFaults, 'faults'>
}

export const problemOfSkipped = ({ plugin, error: { message, code } }: SkippedPlugin): PluginProblem =>
  ({ plugin, part: null, message: `${message} [${code}]`, disabled: true })

export const problemOfFault = (plugin: string, { part, message, cutOff }: PluginFault): PluginProblem =>
  ({ plugin, part, message, disabled: cutOff })

/** All problems of outside plugins since the service started; skipped plugins come first. */
export const pluginProblems = ({ skipped, outside, pluginFaults }: ProblemSource): PluginProblem[] => [
  ...skipped.map(problemOfSkipped),
  ...outside.flatMap(({ plugin: { name } }) => pluginFaults.faults(name).map(fault => problemOfFault(name, fault)))
]

/** As a sentence. */
export const sentenceOfProblem = ({ plugin, part, message, disabled }: PluginProblem): string => part === null
  ? `${message}; the service runs without it`
  : `${part} of plugin '${plugin}' failed: ${message}${disabled ? '; it is disabled for now' : ''}`
