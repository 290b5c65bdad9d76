import { join } from 'node:path'
import { definePlugin, openInstanceId, privateFolder, type Kernel } from '../../core/index.js'
import type {} from '../alerts/index.js' // adds the event
import { createAttachments } from './attachments.js'
import { createDeliveries, recordChange } from './deliveries.js'
import { DeliverySchedule } from './delivery-schedule.js'
import { openHeldStore } from './held-alerts.js'
import { createMessenger, messageOf } from './messenger.js'
import { migrations } from './migrations.js'
import { checkRules, completeOptions, Options, wallClockOf } from './options.js'
import { messagesPage } from './pages.js'
import { PushDevices, type PushDevicesDeps } from './push-devices.js'
import { createPushKind, vapidKeysOf } from './push.js'
import routes from './routes.js'
import { createRouter } from './router.js'
import { Sender } from './sender.js'
import { openStoredTargets, type StoredTargets } from './stored-targets.js'
import { openRegistry } from './target-registry.js'
import { MessageSetup, type SetupDeps } from './message-setup.js'
import { createMessages, type Messages } from './messages.js'
import { checkKinds } from './targets/check-kinds.js'
import { kinds as builtIn } from './targets/index.js'
import type { MessageTargetKind } from './targets/types.js'
import tools from './tools.js'

export { createWallClock, endOf, Hours, isWithin, type WallClock } from './hours.js'
export type { OwnMessage } from './messenger.js'
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

/** Sends alerts to people and programs. Does nothing without a target. */
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
  contributes: { routes, tools, migrations, pages: [messagesPage], messageTargets: builtIn },
  async setup ({
    kernel, options, log, printers, events, services: { database, http }, optional: { camera, recording }, signal,
    contributed, folder, provide, onReady, onClose
  }) {
    const { now, redact } = kernel
    const fromPlugins = contributed('messageTargets')
    checkKinds(fromPlugins, kernel)
    checkRules(options)
    const given = { kinds: fromPlugins, lacksPlugins: kernel.skipped.length > 0, mask: kernel.maskSecret, now }
    const registry = await openRegistry(options, given, kernel.connections)
    const { targets, reports } = registry
    const instance = await openInstanceId(await folder(), message => log.warn(message))
    const deliveries = createDeliveries(database, now, instance)
    const attachments = createAttachments({
      folder: async () => await privateFolder(join(await folder(), 'pictures')), camera, recording, signal
    })
    const sender = new Sender({
      targets,
      reports,
      messageOf: (delivery, target) => messageOf(delivery, target, attachments),
      onChanged: (...change) => recordChange({ deliveries, attachments, waiting: sender.deliveries }, ...change),
      redact,
      now,
      log
    })
    const { setup, devices, stored } = await openSetup({
      options,
      kinds: fromPlugins,
      registry,
      sender,
      deliveries,
      folder: await folder(),
      kernel,
      people: () => http.access.people,
      warn: message => log.warn(message),
      acceptedAt: name => messages.acceptedAt(name),
      onChanged: () => follow()
    })
    const common = { redact, now, giveUpAfterMs: options.giveUpAfterHours * HOUR_MS }
    const messages = createMessages({ ...common, targets, deliveries, setup, devices, sender, reports })
    provide('messages', messages)

    const routerNow = () => {
      const { quiet, timeZone } = setup.quiet()
      return createRouter({ rules: [...options.rules, ...setup.rules()], quiet, clock: wallClockOf({ timeZone }), now })
    }
    let router = routerNow()
    const messenger = createMessenger({
      ...common,
      router: () => router,
      sender,
      targets,
      attachments,
      printers,
      store: await openHeldStore(await folder(), message => log.warn(message)),
      mayGet: (name, printer) => devices.mayGet(name, printer),
      log
    })
    events.on('alert', alert => { if (targets.size > 0) messenger.onAlert(alert) })
    events.on('recording', messenger.onRecording)
    const onUnknown = (err: Error) => { log.warn({ err }, 'devices of former users stay') }
    events.on('people:changed', () => { devices.review().catch(onUnknown) })

    const schedule = new DeliverySchedule({ messenger, sender, deliveries, attachments, log })
    let isReady = false
    /** Nothing runs, and the database is not opened, before there is a target. */
    const begin = () => { if (isReady && targets.size > 0) schedule.start() }
    function follow (): void {
      router = routerNow()
      begin()
    }
    onReady(() => {
      isReady = true
      begin()
    })
    onClose(async () => {
      await schedule.close()
      await stored.settled()
    })
  }
})

interface OpenSetupDeps extends Omit<SetupDeps, 'stored' | 'mayGet' | 'kernel'>, Pick<PushDevicesDeps, 'people'> {
  /** The folder of the plugin. */
  readonly folder: string
  readonly kernel: Pick<Kernel, 'dataDir' | 'maskSecret' | 'redact' | 'now'>
}

/** Opens what was set up in the browser: targets, and devices, which are targets too. */
async function openSetup ({ folder, people, ...deps }: OpenSetupDeps):
Promise<{ setup: MessageSetup, devices: PushDevices, stored: StoredTargets }> {
  const { kernel: { dataDir, now }, options, kinds, warn } = deps
  const stored = await openStoredTargets(folder, dataDir, warn)
  const vapid = vapidKeysOf(dataDir, warn)
  const setup: MessageSetup = new MessageSetup({
    ...deps,
    stored,
    kinds: [...kinds, createPushKind({ vapid, ...options.push })],
    mayGet: (name, printer) => devices.mayGet(name, printer)
  })
  const devices = new PushDevices({
    setup, stored, vapid, people, now, problemOf: name => deps.sender.status(name).problem
  })
  await setup.open()
  return { setup, devices, stored }
}
