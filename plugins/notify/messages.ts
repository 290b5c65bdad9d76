import { wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import type { Deliveries, Delivery, Filter } from './deliveries.js'
import { NoTarget, NotTaken } from './errors.js'
import type { MessageSetup } from './message-setup.js'
import { ownDelivery, type OwnMessage } from './messenger.js'
import type { Target } from './options.js'
import type { Listing, MessageView } from './schemas.js'
import type { PushDevices } from './push-devices.js'
import type { Sender } from './sender.js'
import { sendTestTo } from './test-message.js'

/** The API of this plugin for other plugins and its operations. */
export interface Messages {
  /** Names and states of the targets, without addresses and secrets. */
  targets (): Listing['targets']
  page (filter: Filter, limit: number, after?: { at: number, id: string }):
  Promise<Pick<Listing, 'messages' | 'cursor'>>
  /** Sends at once and waits until the target accepts it. @throws PRN_ERR_NO_SUCH_TARGET, PRN_ERR_MESSAGE_NOT_TAKEN */
  sendTest (target: string, signal: AbortSignal): Promise<void>
  /** When the target accepted a test message, ms since the epoch; undefined if none since the start. */
  acceptedAt (target: string): number | undefined
  /**
   * Sends a message of another plugin, whatever the rules say. One whose id was sent to a target before is not sent
   * again, also after a restart and by another service.
   * @returns the targets that get it, of those that exist and may
   */
  send (message: OwnMessage, targets: readonly string[]): Promise<string[]>
  /** Adds, changes and removes targets. */
  readonly setup: MessageSetup
  /** Browsers that get messages. */
  readonly devices: PushDevices
}

export interface MessagesOptions {
  readonly targets: ReadonlyMap<string, Target>
  readonly deliveries: Deliveries
  readonly setup: MessageSetup
  readonly devices: PushDevices
  readonly sender: Pick<Sender, 'status' | 'recover' | 'fault' | 'add'>
  readonly reports?: ReadonlyMap<string, ConnectionReport>
  readonly redact: (text: string) => string
  readonly now: () => number
  readonly giveUpAfterMs: number
}

const kindOf = (attachment: string): MessageView['attachment'] => {
  if (attachment === '') return 'none'
  return attachment.startsWith('clip:') ? 'clip' : 'picture'
}

function viewOf (delivery: Delivery): MessageView {
  const { payload: _payload, severity: _severity, at: _at, give_up_at: _until, ...row } = delivery
  return { ...row, attachment: kindOf(row.attachment) }
}

export function createMessages (options: MessagesOptions): Messages {
  const { targets, deliveries, setup, devices, sender, reports, redact, now, giveUpAfterMs } = options
  /** Times of accepted test messages, ms since the epoch. */
  const accepted = new Map<string, number>()

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
      try {
        await sendTestTo(target, now(), signal)
        reports?.get(name)?.connected()
        sender.recover(name)
        accepted.set(name, now())
      } catch (error) {
        if (!signal.aborted) reports?.get(name)?.failed(error)
        const problem = redact(wordsOfFailure(error))
        if (!signal.aborted) sender.fault(name, problem)
        throw new NotTaken(name, problem)
      }
    },
    async send (message, names) {
      const able = names.filter(name => targets.has(name) &&
        message.printers.every(printer => devices.mayGet(name, printer)))
      for (const name of able) {
        const delivery = ownDelivery(message, name, { redact, giveUpAfterMs, now })
        if (!await deliveries.has(delivery.id)) sender.add(delivery)
      }
      return able
    },
    acceptedAt: name => accepted.get(name),
    setup,
    devices
  }
}
