import type { Attachments } from './attachments.js'
import type { Deliveries, Delivery } from './deliveries.js'
import type { Sender } from './sender.js'

interface RecordChangeDeps {
  readonly deliveries: Pick<Deliveries, 'put'>
  readonly attachments: Pick<Attachments, 'remove'>
  readonly sender: Pick<Sender, 'deliveries'>
}

/** Writes a changed message; the picture of one that has ended goes, unless another message needs it. */
export function recordChange (delivery: Delivery, { deliveries, attachments, sender }: RecordChangeDeps): void {
  deliveries.put(delivery)
  if (delivery.status === 'waiting' || delivery.attachment === '') return
  const isStillWanted = [...sender.deliveries].some(({ attachment }) => attachment === delivery.attachment)
  if (!isStillWanted) void attachments.remove(delivery.attachment)
}
