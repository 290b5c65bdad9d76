import { closestMatch } from '../../core/index.js'
import type { Collection } from '../telemetry/index.js'
import { BadChart } from './errors.js'
import type { ChartPanel } from './panel.js'

/** So many lines can be told apart. */
const MOST_COLLECTIONS = 6
const ID = /^[a-z][a-z0-9-]{0,39}$/

/** What is wrong with a panel, or undefined. */
function problemOf (panel: ChartPanel, recorded: readonly string[]): string | undefined {
  const { id, title, collections, render } = panel
  if (!ID.test(id)) return 'the id must be lower-case letters, digits and hyphens, 40 at most'
  if (title.trim() === '') return 'the title is empty'
  if (render !== undefined) return typeof render === 'function' ? undefined : 'render must be a function'
  if (!Array.isArray(collections) || collections.length === 0) return 'it needs collections or render'
  if (collections.length > MOST_COLLECTIONS) return `it names more than ${MOST_COLLECTIONS} collections`
  const unknown = collections.find(name => !recorded.includes(name))
  if (unknown === undefined) return undefined
  const hint = closestMatch(unknown, recorded)
  return `nothing records the collection '${unknown}'${hint === undefined ? '' : `; did you mean '${hint}'?`}`
}

/** @throws PRN_ERR_CHART naming the panel and its plugin */
export function checkPanels (panels: readonly ChartPanel[], recorded: readonly Collection[],
  originOf: (panel: ChartPanel) => string): void {
  const names = recorded.map(({ name }) => name)
  const seen = new Map<string, ChartPanel>()
  for (const panel of panels) {
    const first = seen.get(panel.id)
    const problem = first ? `plugin '${originOf(first)}' has one of the same id` : problemOf(panel, names)
    if (problem !== undefined) throw new BadChart(panel.id, originOf(panel), problem)
    seen.set(panel.id, panel)
  }
}
