import { defineRuleValue, type Kernel, type RuleValue } from '../../../core/index.js'
import type { Print } from '../../history/index.js'
import type { QueueStatus } from '../../queue/index.js'

const DAY_MS = 86_400_000

/** Prints of the last day on a printer. */
interface Ended { readonly id: string, readonly at: number, readonly isFailed: boolean }
interface Recent { readonly byPrinter: Map<string, Ended[]>, isKnown: boolean }

const recent = new WeakMap<object, Recent>()

/** Ended prints in memory, since conditions are evaluated without waiting; begun by the first that watches. */
function recentOf (kernel: Kernel): Recent {
  const known = recent.get(kernel.events)
  if (known) return known
  const own: Recent = { byPrinter: new Map(), isKnown: false }
  recent.set(kernel.events, own)
  const add = (printer: string, ended: Ended) => {
    const list = own.byPrinter.get(printer) ?? []
    own.byPrinter.set(printer, [ended, ...list.filter(({ id }) => id !== ended.id)]
      .filter(({ at }) => at > kernel.now() - DAY_MS).sort((a, b) => b.at - a.at))
  }
  kernel.events.on('history:print', (printer, { id, result, endedAt }: Print) => {
    if (result !== 'running' && endedAt !== undefined) add(printer, { id, at: endedAt, isFailed: result === 'failed' })
  })
  const load = async () => {
    const prints = kernel.services.history.since(kernel.now() - DAY_MS)
    for await (const { id, printer, ended_at: at, result } of prints) {
      if (at !== null) add(printer, { id, at, isFailed: result === 'failed' })
    }
    own.isKnown = true
  }
  load().catch((error: Error) => kernel.logs.root.debug({ err: error }, 'prints of the last day cannot be read'))
  return own
}

const ofPrints = (name: string, named: RuleValue['named'], count: (ended: readonly Ended[]) => number): RuleValue =>
  defineRuleValue({
    name,
    named,
    type: 'number',
    perPrinter: true,
    read (kernel, printer) {
      const { byPrinter, isKnown } = recentOf(kernel)
      const since = kernel.now() - DAY_MS
      return isKnown ? count((byPrinter.get(printer) ?? []).filter(({ at }) => at > since)) : undefined
    },
    watch (kernel, changed) {
      recentOf(kernel)
      return kernel.events.on('history:print', printer => changed(printer))
    }
  })

/** Newest first. */
function failedInARow (ended: readonly Ended[]): number {
  const other = ended.findIndex(({ isFailed }) => !isFailed)
  return other >= 0 ? other : ended.length
}

const ofQueue = (name: string, named: RuleValue['named'], type: RuleValue['type'],
  of: (status: QueueStatus) => string | number | boolean, choices?: readonly string[]): RuleValue => defineRuleValue({
  name,
  named,
  type,
  perPrinter: true,
  ...choices && { choices },
  read (kernel, printer) {
    const status = kernel.optional.queue?.statusOf(printer)
    return status && of(status)
  },
  watch: ({ events }, changed) => events.on('queue:changed', printers => { for (const printer of printers) changed(printer) })
})

/** Of all slots of a printer whose remainder is known. */
const leastGrams = (kernel: Kernel, printer: string): number | undefined => {
  const spools = kernel.optional.spools
  const grams = spools?.slots().filter(slot => slot.printer === printer).map(slot => spools.gramsIn(slot))
    .filter(left => left !== undefined) ?? []
  return grams.length === 0 ? undefined : Math.min(...grams)
}

/** Values of the service: its queue, its record of prints, its spools. */
export const serviceValues: readonly RuleValue[] = [
  ofPrints('prints.day', { en: 'the prints that ended in 24 hours', de: 'die Drucke, die in 24 Stunden endeten', zh: '24小时内结束的打印' },
    ended => ended.length),
  ofPrints('prints.failed_in_a_row', { en: 'the failed prints in a row', de: 'die Fehldrucke in Folge', zh: '连续失败的打印' },
    failedInARow),
  ofQueue('queue.waiting', { en: 'jobs of the queue wait for the printer', de: 'Aufträge der Warteschlange warten auf den Drucker', zh: '队列中有任务等待该打印机' },
    'boolean', ({ copies_wait: waits }) => waits),
  ofQueue('queue.jobs', { en: 'the jobs of the queue', de: 'die Aufträge der Warteschlange', zh: '队列任务数' }, 'number', ({ open_jobs: jobs }) => jobs),
  ofQueue('plate.state', { en: 'the plate', de: 'die Platte', zh: '打印板' }, 'text', ({ plate }) => plate, ['clear', 'used']),
  defineRuleValue({
    name: 'spool.least_grams',
    named: { en: 'the least filament in a slot', de: 'das wenigste Filament in einem Fach', zh: '槽位中最少的耗材' },
    type: 'number',
    unit: 'g',
    perPrinter: true,
    read: leastGrams,
    watch: (kernel, changed) => kernel.events.on('spools:changed', () => { for (const name of kernel.printers.names) changed(name) })
  })
]
