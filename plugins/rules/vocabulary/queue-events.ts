import { Type } from 'typebox'
import { clockKey, defineRuleEvent, type RuleEvent } from '../../../core/index.js'
import { ACTIVE_STATES, RUN_ENDS } from '../../queue/index.js'

/** What the queue does. */
export const queueEvents: readonly RuleEvent[] = [
  defineRuleEvent({
    name: 'queue.copy',
    named: { en: 'a copy of the queue changes', de: 'ein Exemplar der Warteschlange sich ändert', zh: '队列中的副本状态变化' },
    fields: Type.Object({
      state: Type.Enum([...ACTIVE_STATES, ...RUN_ENDS], { description: 'Of the copy' }),
      job: Type.String({ description: 'Id of its job' }),
      reason: Type.String({ description: 'Why; may be empty' })
    }),
    fieldNames: {
      state: { en: 'state', de: 'Zustand', zh: '状态' },
      job: { en: 'job', de: 'Auftrag', zh: '任务' },
      reason: { en: 'reason', de: 'Grund', zh: '原因' }
    },
    perPrinter: true,
    watch: ({ events, now }, happened) => events.on('queue:run', ({ id, printer, state, job, reason }) =>
      happened({ printer, key: `queue:${id}:${state}`, at: now(), fields: { state, job, reason } }))
  }),
  defineRuleEvent({
    name: 'queue.emptied',
    named: { en: 'the queue is empty', de: 'die Warteschlange leer ist', zh: '队列为空' },
    fields: Type.Object({}),
    fieldNames: {},
    perPrinter: false,
    watch (kernel, happened) {
      let open: number | undefined
      return kernel.events.on('queue:changed', printers => {
        const queue = kernel.optional.queue
        const status = printers.map(printer => queue?.statusOf(printer)).find(found => found !== undefined)
        if (status === undefined) return
        const wasOpen = open
        open = status.open_jobs
        const at = kernel.now()
        if (wasOpen !== undefined && wasOpen > 0 && open === 0) happened({ ...clockKey('queue:emptied', at), at, fields: {} })
      })
    }
  })
]
