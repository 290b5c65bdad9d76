import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, NotConnected, Refused, type Kernel, type PrinterSession } from '../../core/index.js'
import type { BrokerHandler, Peer } from '../printer-servers/index.js'
import { actAs, surfaceOf } from './act.js'
import type { Client } from './options.js'
import { createPending } from './pending.js'
import { fullReport, isVersion, looksIndented, refusal, withoutCode, withSequenceId } from './reports.js'
import { judge, type Asked } from './requests.js'
import { createTurns } from './turns.js'

/** What stands between the clients of one printer and its session. */
export interface MqttRelay extends Pick<BrokerHandler<Client>, 'subscribed' | 'requested'> {
  /** Follows a session, until the function that it returns is called. */
  follow (session: PrinterSession): () => void
}

export interface MqttRelayOptions {
  readonly kernel: Pick<Kernel, 'call' | 'operations' | 'redact' | 'now' | 'signal'>
  readonly log: FastifyBaseLogger
  /** Name of the printer. */
  readonly printer: string
  readonly peers: () => Iterable<Peer<Client>>
}

/** For the printer's reply, ms: until then the command counts as running. */
const REPLY_MS = 5_000
/** Source: the vendor's slicer asks for a full report no more often. */
const REFRESH_EVERY_MS = 3_000

const GET_VERSION = { section: 'info', command: 'get_version' }

export function createMqttRelay ({ kernel, log, printer, peers }: MqttRelayOptions): MqttRelay {
  const pending = createPending(kernel.now)
  let session: PrinterSession | undefined
  let isIndented = false
  let version: Uint8Array | undefined
  let refreshedAt = -Infinity

  /** Reports go to everybody as they came; the reply to a client's command bears that client's id for it. */
  function passOn (payload: Uint8Array): void {
    isIndented = looksIndented(payload)
    const shown = withoutCode(payload, session?.config.accessCode ?? '')
    if (isVersion(shown)) version = shown
    const asker = pending.match(shown)
    for (const peer of peers()) {
      if (peer.isSubscribed) peer.publish(peer === asker?.peer ? withSequenceId(shown, asker.sequenceId) : shown)
    }
  }

  function sendState (peer: Peer<Client>, sequenceId: unknown): void {
    if (session === undefined) return
    if (hasCurrentState(session)) return peer.publish(fullReport(session, sequenceId, isIndented))
    if (kernel.now() - refreshedAt < REFRESH_EVERY_MS) return
    refreshedAt = kernel.now()
    session.refresh().catch(() => {}) // what it brings goes to everybody
  }

  const noted = (peer: Peer<Client>, { name, sequenceId }: Asked) => (id: string): void =>
    pending.add(id, { peer, sequenceId, name })

  /** Does a request as the operation that it amounts to. */
  async function act (asked: Asked, operation: string, { who }: Peer<Client>,
    onSent: (id: string) => void): Promise<void> {
    const send = async (to: PrinterSession): Promise<void> => {
      const reply = await to.send(asked.command, { replyWithin: REPLY_MS, onSent })
      if (reply?.accepted === false) throw new Refused(printer, 'a command of the relay', reply.reason)
    }
    log.info({ printer, client: who.name, command: asked.name }, 'command over the relay')
    await actAs(kernel, operation, printer, who, to => operation === 'projects.print'
      ? to.exclusively(`the start of a print by ${surfaceOf(who)}`, () => send(to))
      : send(to))
  }

  async function serve (asked: Asked, peer: Peer<Client>): Promise<void> {
    let isSent = false
    const onSent = (id: string): void => { isSent = true; noted(peer, asked)(id) }
    const refuse = (reason: string): void => peer.publish(refusal(asked, reason, isIndented))
    try {
      if (session === undefined) throw new NotConnected(printer)
      const verdict = judge(asked, peer.who.access, session.model)
      switch (verdict.kind) {
        case 'status': return sendState(peer, asked.sequenceId)
        case 'version':
          if (version !== undefined) return peer.publish(withSequenceId(version, asked.sequenceId))
          await session.send(GET_VERSION, { onSent })
          return
        case 'read': await session.send(asked.command, { onSent }); return
        case 'write': return await act(asked, verdict.operation, peer, onSent)
        case 'refused':
          log.warn({ printer, client: peer.who.name, command: asked.name, why: verdict.reason }, 'refused over the relay')
          return refuse(verdict.reason)
      }
    } catch (error) {
      // what the printer refuses it says itself
      if (!isSent) refuse(kernel.redact((error as Error).message))
      log.info({ printer, client: peer.who.name, command: asked.name, err: error }, 'command over the relay failed')
    }
  }

  return {
    subscribed: peer => sendState(peer, undefined),
    requested: createTurns(kernel.now, serve,
      client => log.debug({ printer, client: client.name }, 'too many requests')),
    follow (next) {
      session = next
      version = undefined
      const off = next.events.on('message', passOn)
      return () => {
        off()
        pending.clear()
        if (session === next) session = undefined
      }
    }
  }
}
