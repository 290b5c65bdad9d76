import { join } from 'node:path'
import { definePlugin, privateFolder } from '../../core/index.js'
import type {} from '../alerts/index.js' // adds the event
import { createAttachments } from './attachments.js'
import { createDeliveries, recordChange } from './deliveries.js'
import { DeliverySchedule } from './delivery-schedule.js'
import { createMessenger, messageOf } from './messenger.js'
import { migrations } from './migrations.js'
import { checkRules, completeOptions, connectionOf, openTargets, Options, wallClockOf } from './options.js'
import routes from './routes.js'
import { createRouter } from './router.js'
import { Sender } from './sender.js'
import { createMessages, type Messages } from './messages.js'
import { checkKinds } from './targets/check-kinds.js'
import { kinds } from './targets/index.js'
import type { MessageTargetKind } from './targets/types.js'
import tools from './tools.js'

export { defineMessageTarget, NotDelivered } from './targets/types.js'
export type { Attachment, Message, MessageTargetKind, SendMessage, TargetContext } from './targets/types.js'
export type { Messages } from './messages.js'

declare module 'prnd' {
  interface Services { messages: Messages }
  interface Contributions {
    /** Kinds of targets, which the configuration selects by `type`. */
    messageTargets: MessageTargetKind
  }
}

const HOUR_MS = 3_600_000

/** Sends alerts to people and programs. Does nothing without a configured target. */
export default definePlugin({
  name: 'notify',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Messages: alerts by webhook, e-mail, MQTT and to phones',
  needs: ['alerts', 'database', 'http'],
  optional: ['camera', 'recording'],
  provides: ['messages'],
  uses: ['camera', 'network', 'disk'],
  options: Options,
  completeOptions: contributed => completeOptions(contributed('messageTargets')),
  contributes: { routes, tools, migrations, messageTargets: kinds },
  async setup ({
    kernel, options, log, printers, events, services: { database }, optional: { camera, recording }, signal,
    contributed, folder, provide, onReady, onClose
  }) {
    const { now, redact } = kernel
    checkKinds(contributed('messageTargets'), kernel)
    checkRules(options)
    const targets = await openTargets(options, {
      kinds: contributed('messageTargets'),
      lacksPlugins: kernel.skipped.length > 0,
      mask: secret => kernel.maskSecret(secret),
      now
    })
    const deliveries = createDeliveries(database, now)
    const attachments = createAttachments({
      folder: targets.size === 0 ? '' : await privateFolder(join(await folder(), 'pictures')), camera, recording, signal
    })

    const reports = new Map([...targets.keys()].map(name =>
      [name, kernel.connections.add(connectionOf(name, options))]))
    const sender = new Sender({
      targets,
      reports,
      messageOf: (delivery, target) => messageOf(delivery, target, attachments),
      onChanged: delivery => recordChange(delivery, { deliveries, attachments, waiting: sender.deliveries }),
      redact,
      now,
      log
    })
    provide('messages', createMessages({ targets, deliveries, sender, reports, redact, now }))
    if (targets.size === 0) return

    const { rules, quiet, giveUpAfterHours } = options
    const router = createRouter({ rules, quiet, clock: wallClockOf(options), now })
    const giveUpAfterMs = giveUpAfterHours * HOUR_MS
    const messenger = createMessenger({
      router, sender, targets, attachments, printers, redact, giveUpAfterMs, now, log
    })
    events.on('alert', messenger.onAlert)
    events.on('recording', messenger.onRecording)

    const schedule = new DeliverySchedule({ messenger, sender, deliveries, attachments, log })
    onReady(() => schedule.start())
    onClose(() => schedule.close())
  }
})
