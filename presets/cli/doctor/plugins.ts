import { pluginProblems, selectPlugins, sentenceOfProblem, type PluginProblem, type ReadConfig } from '../../../core/index.js'
import daemon from '../../daemon/index.js'
import type { Service } from '../service.js'
import { failed, warning, type Check } from './report.js'

const FIX = 'Correct, update or remove it under plugins; prnd daemon --safe starts without plugins from outside.'

const checkOf = (problem: PluginProblem): Check => problem.part === null
  ? failed(`plugin ${problem.plugin}`, sentenceOfProblem(problem), FIX)
  : warning(`plugin ${problem.plugin}`, sentenceOfProblem(problem), FIX)

/** The configured plugins as a running service reports them; without one they are loaded, but not started. */
export async function checkPlugins ({ config, path }: Pick<ReadConfig, 'config' | 'path'>,
  service?: Pick<Service, 'call'>): Promise<Check[]> {
  try {
    if (service === undefined) {
      const selection = await selectPlugins(daemon, config, path)
      return pluginProblems({ ...selection, pluginFaults: { faults: () => [] } }).map(checkOf)
    }
    const { plugin_problems: problems = [] } =
      await service.call<{ plugin_problems?: readonly PluginProblem[] }>('GET', '/api/server_info')
    return problems.map(checkOf)
  } catch (error) {
    return [failed('plugins', (error as Error).message, 'Correct the plugins of the configuration.')]
  }
}
