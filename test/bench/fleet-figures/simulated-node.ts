// A node of simulated sessions in a process of its own: what real virtual printers report is told of many. Arguments:
// address of the server, how many, ms between two changes of one.
import { generateKeyPairSync } from 'node:crypto'
import { createEmitter, type PrinterSession, type SessionEvents } from '../../../core/index.js'
import { openLink } from '../../../plugins/fleet/link.js'
import { namesOf } from '../../../plugins/fleet/names.js'
import { startHeartbeat } from '../../../plugins/fleet/node/heartbeat.js'
import { StatePublisher } from '../../../plugins/fleet/node/state-publisher.js'
import { loginOf } from '../../../plugins/fleet/options.js'
import { signingKeyOf } from '../../../plugins/fleet/signed-message.js'
import { openNodeStores, type NodeStores } from '../../../plugins/fleet/stores.js'
import { boot } from '../../../presets/testing/index.js'

const [url = '', count = '1', everyMs = '1000'] = process.argv.slice(2)
const STEP_MS = 50

const { kernel, printers } = await boot({ models: ['P1S', 'X1C', 'A1_MINI', 'H2D'] })
for (const printer of printers) printer.startJob({ layers: 400, minutes: 600 })
await new Promise(resolve => setTimeout(resolve, 3_000))

const login = await loginOf({
  servers: [url], fleet: 'main', site: 'simulated', node: 'many', insecure: false, replicas: 1
})
const names = namesOf(login.fleet)
const quiet = { info () {}, warn (fields: object, text: string) { console.error(text, fields) } }
const link = openLink(login, names.inbox(login.site), quiet)
const open: { stores?: NodeStores } = {}
const signingKey = signingKeyOf(generateKeyPairSync('ed25519').privateKey)
const heartbeat = startHeartbeat(link, {
  subject: names.heartbeat(login.site, login.node), signingKey, printers: () => Number(count), hubs: () => []
})
const publisher = new StatePublisher({
  key: printer => names.key(login.site, login.node, printer),
  subject: names.stateSubject,
  signingKey,
  run: heartbeat.run,
  epoch: () => undefined,
  isConfigured: () => true,
  redact: kernel.redact,
  bucket: () => open.stores?.state,
  onFailure: error => console.error(error.message),
  now: Date.now
})

/** One that lives as the real one does, under another name. */
function simulated (real: PrinterSession, at: number) {
  const events = createEmitter<SessionEvents>(error => console.error(error))
  const name = `simulated-${at + 1}`
  const serial = `${real.config.serial.slice(0, 6)}${String(at).padStart(9, '0')}`
  let { state } = real
  const session: PrinterSession = Object.create(real, {
    name: { value: name },
    events: { value: events },
    config: { value: { ...real.config, name, serial } },
    state: { get: () => state },
    lastMessageAt: { get: () => Date.now() }
  })
  return {
    session,
    change (): void {
      const before = state
      if (real.state === undefined || before === undefined) return
      state = { ...real.state, device: { ...real.state.device, wifiSignal: `-${Date.now()}dBm` } }
      events.emit('state', state, before)
    }
  }
}

open.stores = await openNodeStores(await link.opened, names, { replicas: 1, site: login.site, withLeases: false })
const sessions = Array.from({ length: Number(count) }, (_, at) => {
  const real = kernel.printers.sessions[at % printers.length]
  if (real === undefined) throw new Error('a virtual printer has no session')
  return simulated(real, at)
})
for (const { session } of sessions) publisher.follow(session)
let at = 0
const perStep = Math.max(1, Math.round(sessions.length * STEP_MS / Number(everyMs)))
setInterval(() => {
  for (let nth = 0; nth < perStep; nth++) sessions[at++ % sessions.length]?.change()
}, STEP_MS)
process.on('disconnect', () => process.exit(0))
process.on('message', () => process.send?.(publisher.waiting))
while (publisher.waiting > sessions.length / 10) await new Promise(resolve => setTimeout(resolve, 100))
process.send?.({ pid: process.pid })
