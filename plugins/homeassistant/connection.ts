import { withTimeout, type ConnectionReport, type JsonStore, type Kernel, type PluginContext } from '../../core/index.js'
import type { Login } from '../broker/index.js'
import { Bridge } from './bridge.js'
import { openBroker } from './broker.js'
import { brokerProblem, type BrokerProblem } from './broker-problem.js'
import { createCatalogue } from './entities/index.js'
import { createImages } from './images.js'
import type { Options } from './options.js'
import { createRetained, type Ledger } from './retained.js'
import { topicsOf } from './topics.js'

/** Shortest interval between two states of a printer. */
const EVERY_MS = 1_000
/** Limit for clearing everything at a broker that is left. */
const CLEAR_MS = 3_000

export type Announcing = Pick<Options, 'discoveryPrefix' | 'topicPrefix' | 'readOnly' | 'imageOnAlert' | 'imageSeconds'>

export interface ConnectionDeps {
  readonly context: Pick<PluginContext<object, 'camera' | 'broker'>,
    'kernel' | 'log' | 'printers' | 'events' | 'optional' | 'signal'>
  /** What is retained at the broker, over restarts. */
  readonly ledger: JsonStore<Ledger>
  readonly login: Login
  readonly settings: Announcing
}

export interface ConnectionState {
  /** ms since the epoch; null while it is not connected. */
  readonly connected_at: number | null
  /** The last failure, which may be over; null without any. */
  readonly failure: BrokerProblem & { readonly at: number } | null
}

/** All printers at one broker, until it is closed. */
export interface Connection {
  readonly state: ConnectionState
  /** Printers become unavailable. @param isForGood their devices are removed */
  close (isForGood?: boolean): Promise<void>
}

function watchState (entry: ConnectionReport, { now, redact }: Pick<Kernel, 'now' | 'redact'>) {
  let state: ConnectionState = { connected_at: null, failure: null }
  let isOpen = true
  const report: ConnectionReport = {
    connected () {
      state = { ...state, connected_at: now() }
      entry.connected()
    },
    failed (error) {
      if (!isOpen) return // the end that we asked for
      state = { connected_at: null, failure: { ...brokerProblem(error, redact), at: now() } }
      entry.failed(error)
    }
  }
  return { report, current: () => state, end: () => { isOpen = false } }
}

export async function openConnection ({ context, ledger, login, settings }: ConnectionDeps): Promise<Connection> {
  const { kernel, log, printers, events, optional: { camera } } = context
  const topics = topicsOf(settings)
  const entry = kernel.connections.add({
    name: 'homeassistant', plugin: 'homeassistant', what: 'the broker of Home Assistant', address: login.url
  })
  const { report, current, end } = watchState(entry, kernel)
  const broker = await openBroker({ login, topics, report, log })
  const retained = createRetained(broker, ledger, log)
  const ending = new AbortController()
  const signal = AbortSignal.any([context.signal, ending.signal])
  const sendsImages = camera !== undefined && (settings.imageOnAlert || settings.imageSeconds > 0)
  const images = sendsImages
    ? createImages({ ...settings, camera, topics, retained, now: kernel.now, signal, log })
    : undefined
  const catalogue = createCatalogue({
    status: topics.status,
    offers: operation => !settings.readOnly && kernel.operations.has(operation),
    watchesPrints: kernel.plugins.has('health'),
    hasImage: images && (({ session }) => images.has(session))
  })
  const bridge = new Bridge({ kernel, broker, retained, topics, catalogue, images, log })
  const undo = [
    printers.each(session => bridge.follow(session)),
    events.on('alert', alert => bridge.onAlert(alert)),
    events.on('health:verdict', (printer, health) => bridge.onVerdict(printer, health))
  ]
  const timer = setInterval(() => bridge.tick(), EVERY_MS).unref()
  return {
    get state () { return current() },
    async close (isForGood = false) {
      clearInterval(timer)
      for (const each of undo) each()
      ending.abort()
      const late = () => new Error('the broker does not answer')
      const isCleared = isForGood && broker.isConnected &&
        await withTimeout(CLEAR_MS, retained.clear(), late).then(() => true, () => false)
      end()
      await broker.close(isCleared)
      entry.remove()
    }
  }
}
