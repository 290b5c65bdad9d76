import { join } from 'node:path'
import { definePlugin, privateFolder, type Kernel } from '../../core/index.js'
import type {} from '../alerts/index.js' // adds the event
import { createAttachments } from './attachments.js'
import { createDeliveries, type Delivery } from './deliveries.js'
import { BadTargetKind } from './errors.js'
import { createMessenger, messageOf } from './messenger.js'
import { migrations } from './migrations.js'
import { checkRules, completeOptions, connectionOf, openTargets, Options, wallClockOf } from './options.js'
import routes from './routes.js'
import { createRouter } from './router.js'
import { createSender, MOST_WAITING } from './sender.js'
import { createMessages, type Messages } from './messages.js'
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

const EVERY_MS = 1_000
const PRUNE_MS = 3_600_000
/** Delay before waiting messages are read again after a failure. */
const RELOAD_MS = 60_000
const HOUR_MS = 3_600_000

const TYPE = /^[a-z][a-z0-9-]{0,39}$/

/** @throws PRN_ERR_MESSAGE_TARGET naming the kind and its plugin */
function checkKinds (all: readonly MessageTargetKind[], { originOf }: Pick<Kernel, 'originOf'>): void {
  const seen = new Set<string>()
  for (const kind of all) {
    const { type, create } = kind
    const problem = seen.has(type) ? 'there is another one of this type' : problemOf(type, create)
    const plugin = originOf(kind) ?? '?'
    if (problem !== undefined) throw new BadTargetKind(String(type), plugin, problem).with({ plugins: [plugin] })
    seen.add(type)
  }
}

function problemOf (type: unknown, create: unknown): string | undefined {
  if (typeof type !== 'string' || !TYPE.test(type)) return 'type must be lower-case letters, digits and hyphens'
  return typeof create === 'function' ? undefined : 'create must be a function'
}

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

    function onChanged (delivery: Delivery): void {
      deliveries.put(delivery)
      if (delivery.status === 'waiting' || delivery.attachment === '') return
      const isStillWanted = [...sender.deliveries].some(({ attachment }) => attachment === delivery.attachment)
      if (!isStillWanted) void attachments.remove(delivery.attachment)
    }

    const reports = new Map([...targets.keys()].map(name =>
      [name, kernel.connections.add(connectionOf(name, options))]))
    const sender = createSender({
      targets,
      reports,
      messageOf: (delivery, target) => messageOf(delivery, target, attachments),
      onChanged,
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

    let resumed = false
    let pruneAt = 0
    let resumeAt = 0

    async function resume (): Promise<void> {
      sender.resume(await deliveries.waiting(MOST_WAITING))
      resumed = true
      await attachments.sweep(new Set([...sender.deliveries].map(({ attachment }) => attachment)))
    }

    function tick (): void {
      const at = performance.now()
      if (!resumed && at >= resumeAt) {
        resumeAt = at + RELOAD_MS
        resume().catch((error: Error) => log.warn({ err: error }, 'messages that wait cannot be read'))
      }
      if (resumed && at >= pruneAt) {
        pruneAt = at + PRUNE_MS
        deliveries.prune().catch((error: Error) => log.debug({ err: error }, 'old messages were not removed'))
      }
      messenger.tick()
      sender.tick()
    }

    let timer: NodeJS.Timeout | undefined
    onReady(() => {
      timer = setInterval(tick, EVERY_MS).unref()
      tick()
    })
    onClose(async () => {
      clearInterval(timer)
      messenger.tick(true)
      await sender.close()
    })
  }
})
