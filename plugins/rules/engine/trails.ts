import { brings } from '../check/check-acts.js'
import type { RunStore } from '../run-store.js'
import type { Cause, Rule } from '../types.js'
import { bringsAbout, LONGEST_MS, LONGEST_TRAIL, showsMs } from './chains.js'
import type { RuleIndex } from './rule-index.js'

/**
 * Which rules led to what happens now, however slowly: by the acts in the log of runs, which all services and the next
 * start know. A heater cools for an hour, and a print takes a night, so that chains in memory do not see it.
 */
export class Trails {
  readonly #store: Pick<RunStore, 'acts'>
  #index: RuleIndex | undefined
  /** Whether any rule can bring about an event or value, by name. */
  readonly #known = new Map<string, boolean>()

  constructor (store: Pick<RunStore, 'acts'>) { this.#store = store }

  use (index: RuleIndex): void {
    this.#index = index
    this.#known.clear()
  }

  /** The longest trail of acts that may have brought an occurrence about, the newest last. */
  async of ({ when }: Pick<Rule, 'when'>, { source, at, cameAt = at, printer }: Cause): Promise<readonly string[]> {
    if (!this.#isBroughtAbout(source)) return []
    const triggers = when.filter(trigger =>
      (trigger.kind === 'event' && trigger.event === source) || (trigger.kind === 'state' && trigger.value === source))
    let trail: readonly string[] = []
    for (const act of await this.#store.acts(cameAt - LONGEST_MS, printer)) {
      const isInTime = act.at <= cameAt && act.at > cameAt - showsMs(act.operation)
      if (!isInTime || act.trail.length < trail.length) continue
      if (triggers.some(trigger => brings(act, trigger))) trail = [...act.trail, act.rule].slice(-LONGEST_TRAIL)
    }
    return trail
  }

  /** Most occurrences are of people and time, and cost no look into the log. */
  #isBroughtAbout (source: string): boolean {
    const known = this.#known.get(source)
    if (known !== undefined) return known
    const rules = [...this.#index?.rules.values() ?? []]
    const found = rules.some(({ then }) => then.some(step => step.kind === 'call' && bringsAbout(step.operation, source)))
    this.#known.set(source, found)
    return found
  }
}
