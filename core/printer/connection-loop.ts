import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, connectionErrorOf, wordsOf } from './connection-error.js'
import { openMqttConnection, type MqttConnection, type MqttConnectionOptions } from './mqtt/mqtt-connection.js'
import type { createTrust } from './open-tls.js'
import type { createSessionProblem } from './session-problem.js'
import type { SessionStatus } from './session-status.js'
import type { Timeouts } from './timeouts.js'
import type { PrinterConfig } from './types.js'

export interface ConnectionLoopDeps {
  readonly config: PrinterConfig
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly timeouts: Pick<Timeouts, 'connectMs' | 'retryMs'>
  readonly trust: ReturnType<typeof createTrust>
  readonly status: SessionStatus
  readonly problem: Pick<ReturnType<typeof createSessionProblem>, 'set' | 'ended'>
  readonly onMessage: MqttConnectionOptions['onMessage']
  /** A connection is open and about to subscribe: state that is reset here cannot miss a reply. */
  readonly onOpen: () => void
  readonly onSubscribed: () => void
  readonly onClosed: () => void
  /** Opens a connection; replaced by tests. */
  readonly open?: typeof openMqttConnection
}

export type ConnectionLoop = ReturnType<typeof createConnectionLoop>

async function connect ({ config, signal, timeouts: { connectMs }, trust, onMessage, open = openMqttConnection }:
ConnectionLoopDeps): Promise<MqttConnection> {
  const { name, host, serial, accessCode, ports: { mqtt: port } } = config
  const opened = await open({
    name, host, serial, accessCode, port, signal, connectMs, trust: trust.trust(), onMessage
  })
  trust.pin(opened.fingerprint)
  return opened
}

/** Keeps one connection open, and reconnects when it is lost. */
export function createConnectionLoop (deps: ConnectionLoopDeps) {
  const { config, signal, timeouts, status, problem } = deps
  const where = `${config.host}:${config.ports.mqtt}`
  let current: MqttConnection | undefined
  /** Connection attempts since the last message. */
  let attempt = 0
  /** A pause arrived while a resumption was under way. */
  let isTakenBack = false

  /** Subscribes before anything is requested, as earlier replies would be lost. */
  async function subscribe (to: MqttConnection): Promise<void> {
    deps.onOpen()
    await to.subscribe()
    if (isTakenBack) await unsubscribe(to)
    else deps.onSubscribed()
  }

  /** A connection that was just lost cannot be unsubscribed. */
  const unsubscribe = (from: MqttConnection | undefined) => from?.unsubscribe().catch(() => {})

  /** Opens a connection and waits for its end. @returns why it ended */
  async function runOne (): Promise<ConnectionError> {
    try {
      current = await connect(deps)
      if (status.service !== 'PAUSED') await subscribe(current)
    } catch (error) {
      return connectionErrorOf(error, where)
    }
    const failure = await current.closed
    return new ConnectionError('connection_lost', `${where}: the connection was lost${failure ? ` (${wordsOf(failure)})` : ''}`)
  }

  async function run (): Promise<void> {
    while (!signal.aborted) {
      const ended = await runOne()
      deps.onClosed()
      current?.close()
      current = undefined
      status.setLive(false)
      if (signal.aborted) break
      if (status.service === 'CONNECTED') status.setService('DISCONNECTED')
      problem.ended(ended)
      await sleep(timeouts.retryMs(attempt++, ended.code), undefined, { signal }).catch(() => {})
    }
    status.setService('QUIT')
  }

  return {
    where,
    get current () { return current },
    /** Whether reports can be requested. */
    get isSubscribed () { return status.service === 'CONNECTED' && current?.connected === true },
    /** Until the signal is aborted. */
    run,
    /** A message arrived: the next reconnection starts with short delays again. */
    heard (): void { attempt = 0 },
    /** Closes the connection, so that another one is opened. */
    renew (): void { current?.close() },
    async pause (): Promise<void> {
      isTakenBack = status.service === 'PAUSED'
      if (status.service !== 'CONNECTED') return
      status.setService('PAUSED')
      await unsubscribe(current)
    },
    async resume (): Promise<void> {
      if (status.service !== 'PAUSED') return
      isTakenBack = false
      status.setLive(false)
      const opened = current?.connected === true ? current : undefined
      try {
        if (opened) return await subscribe(opened)
      } catch (error) {
        problem.set(connectionErrorOf(error, where))
        opened?.close()
      }
      if (!isTakenBack) status.setService('QUIT') // until there is a new connection
    }
  }
}
