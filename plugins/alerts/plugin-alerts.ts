import { sentenceOfProblem, type PluginProblem } from '../../core/index.js'
import type { Finding } from './types.js'

/**
 * Alerts about plugins from outside. Alerts need a printer but a broken plugin affects all of them, so they are raised
 * for one of the printers. Each part of a plugin is reported once per run of the service, however often it fails.
 */
export function createPluginAlerts (printerNames: () => readonly string[],
  raise: (printer: string, finding: Finding) => void, redact: (text: string) => string):
  (problem: PluginProblem) => void {
  const reported = new Set<string>()
  return problem => {
    const { plugin, part } = problem
    const key = `${plugin} ${part}`
    const [printer] = printerNames()
    if (printer === undefined || reported.has(key)) return
    reported.add(key)
    const payload = { plugin, part, reason: redact(sentenceOfProblem(problem)) }
    raise(printer, { type: 'plugin_failed', severity: part === null ? 'medium' : 'low', payload })
  }
}
