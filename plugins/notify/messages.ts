import { timeoutSignal, withTimeout, wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import type { Deliveries, Delivery, Filter } from './deliveries.js'
import { NoTarget, NotTaken } from './errors.js'
import type { Target } from './options.js'
import type { Listing, MessageView } from './schemas.js'
import type { Sender } from './sender.js'
import { newId } from './messenger.js'

/** The API of this plugin for other plugins and its operations. */
export interface Messages {
  /** Names and states of the targets, without addresses and secrets. */
  targets (): Listing['targets']
  page (filter: Filter, limit: number, after?: { at: number, id: string }):
  Promise<Pick<Listing, 'messages' | 'cursor'>>
  /** Sends at once and waits until the target accepts it. @throws PRN_ERR_NO_SUCH_TARGET, PRN_ERR_MESSAGE_NOT_TAKEN */
  sendTest (target: string, signal: AbortSignal): Promise<void>
}

const TEST_MS = 30_000

export interface MessagesOptions {
  readonly targets: ReadonlyMap<string, Target>
  readonly deliveries: Deliveries
  readonly sender: Pick<Sender, 'status'>
  readonly reports?: ReadonlyMap<string, ConnectionReport>
  readonly redact: (text: string) => string
  readonly now: () => number
}

const kindOf = (attachment: string): MessageView['attachment'] => {
  if (attachment === '') return 'none'
  return attachment.startsWith('clip:') ? 'clip' : 'picture'
}

function viewOf (delivery: Delivery): MessageView {
  const { payload: _payload, severity: _severity, at: _at, give_up_at: _until, ...row } = delivery
  return { ...row, attachment: kindOf(row.attachment) }
}

export function createMessages ({ targets, deliveries, sender, reports, redact, now }: MessagesOptions): Messages {
  return {
    targets: () => [...targets.values()].map(({ name, type }) => {
      const { waiting, problem = null } = sender.status(name)
      return { name, type, waiting, problem }
    }),
    async page (filter, limit, after) {
      const { rows, cursor } = await deliveries.page(filter, limit, after)
      return { messages: rows.map(viewOf), cursor }
    },
    async sendTest (name, signal) {
      const target = targets.get(name)
      if (target === undefined) throw new NoTarget(name, [...targets.keys()].join(', ') || 'none')
      const late = () => new Error(`no answer within ${TEST_MS / 1_000} s`)
      const message = {
        id: newId(),
        title: 'Test message',
        text: 'Messages of the printers arrive here.',
        printer: '',
        alert: 'test',
        severity: 'low' as const,
        at: new Date(now()).toISOString(),
        payload: {}
      }
      const until = AbortSignal.any([signal, timeoutSignal(TEST_MS)])
      try {
        await withTimeout(TEST_MS, target.send(message, until), late, signal)
        reports?.get(name)?.connected()
      } catch (error) {
        if (!signal.aborted) reports?.get(name)?.failed(error)
        throw new NotTaken(name, redact(wordsOfFailure(error)))
      }
    }
  }
}
