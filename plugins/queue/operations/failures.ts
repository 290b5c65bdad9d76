import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { NotStopped } from '../errors.js'
import { MOST_FAILURES } from '../options.js'
import { Time } from '../schemas.js'

export const releasePrinter = operation({
  name: 'queue.releasePrinter',
  summary: 'Let the queue use a printer again that it holds after failed prints',
  effect: 'destructive',
  consequence: 'The next job may start on this printer at once if its plate was confirmed clear. What made its prints fail may ' +
    'make the next one fail too.',
  input: Type.Object({
    stopped_at: Type.Optional(Time('`failures.stopped_at` of the printer when you looked: refused when it was held again since'))
  }),
  output: Type.Object({ printer: Type.String(), released: Type.Literal(true) }),
  errors: [NotStopped],
  async preview ({ session, services: { queue: { store } } }) {
    const { failures = 0, reason = '', stoppedAt } = (await store.failures()).get(session.config.serial) ?? {}
    if (stoppedAt === undefined) throw new NotStopped(session.name)
    return { checked: ['held after failures'], found: { failures, reason } }
  },
  async run ({ session: { name, config: { serial } }, services: { queue: { store, runner } } }, { stopped_at: seen }) {
    const stoppedAt = seen ?? (await store.failures()).get(serial)?.stoppedAt
    if (stoppedAt === undefined || !await store.release(serial, stoppedAt)) throw new NotStopped(name)
    runner.wake()
    return { printer: name, released: true as const }
  }
})

export const setFailureLimit = operation({
  name: 'queue.setFailureLimit',
  summary: 'After how many failed prints in a row the queue holds a printer',
  effect: 'write',
  consequence: 'With a higher number, or 0, the queue goes on printing where prints fail. A printer that is already held stays held.',
  input: Type.Object({
    most: Type.Union([Type.Integer({ minimum: 0, maximum: MOST_FAILURES }), Type.Null()], {
      description: '0: never; null: the number of the configuration'
    })
  }),
  output: Type.Object({ printer: Type.String(), most: Type.Integer({ description: '0: never' }) }),
  async run ({ session: { name, config: { serial } }, services: { queue } }, { most }) {
    await queue.store.setMostFailures(serial, most ?? undefined)
    queue.runner.wake()
    return { printer: name, most: most ?? queue.mostFailuresOf(name) }
  }
})
