import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, NotConnected, Refused, type Kernel, type PrinterSession } from '../../core/index.js'
import { holds, type FilesService } from '../files/index.js'
import type { PlateJudge, PlateJudgement } from '../projects/index.js'
import type { BrokerHandler, Peer } from '../printer-servers/index.js'
import { actAs, surfaceOf } from './act.js'
import type { Client } from './options.js'
import { withOwnAddress, type OwnAddress } from './own-address.js'
import { createPending } from './pending.js'
import { readSlicerPrint } from './slicer-print.js'
import { fullReport, isVersion, looksIndented, refusal, withoutCode, withSequenceId } from './reports.js'
import { judge, type ClientRequest } from './requests.js'
import { createThrottle } from './throttle.js'

/** Passes messages between the clients of one printer and its session. */
export interface MqttRelay extends Pick<BrokerHandler<Client>, 'subscribed' | 'requested'> {
  /** Relays a session. @returns a function that stops it */
  follow (session: PrinterSession): () => void
}

export interface MqttRelayOptions {
  readonly kernel: Pick<Kernel, 'call' | 'operations' | 'redact' | 'now'>
  readonly log: FastifyBaseLogger
  /** Name of the printer. */
  readonly printer: string
  readonly peers: () => Iterable<Peer<Client>>
  /** Where a client reaches the relay, instead of the printer. */
  readonly ownAddress: (peer: Peer<Client>) => OwnAddress
  /** Keeps files of the card as they are. */
  readonly protect: FilesService['protect']
  /** Reads plates before they are printed; left out without the plugin for it. */
  readonly plates?: PlateJudge | undefined
}

/** Time limit for the printer's reply; until then the command counts as running. */
const REPLY_MS = 5_000
/** The vendor's slicer requests full reports no more often. */
const REFRESH_EVERY_MS = 3_000

const GET_VERSION = { section: 'info', command: 'get_version' }

/**
 * Has the plate judged. Slicers write the spools in two ways, and have asked about them themselves.
 * @throws PRN_ERR_PLATE_FINDINGS if it must not be printed
 */
async function checkPlate (
  plates: PlateJudge | undefined, session: PrinterSession, { command }: ClientRequest, over: AbortSignal
): Promise<PlateJudgement | undefined> {
  const print = readSlicerPrint(command)
  if (print === undefined || plates === undefined) return undefined
  const { path, plate, options: { bed_type: plateType } } = print
  const start = { path, plate, ...(plateType && { plateType }) }
  return await plates.check(session, start, { accepted: [], signal: over })
}

/** A message as each client gets it: made once for all that use the same address. */
function addresser (payload: Uint8Array, ownAddress: MqttRelayOptions['ownAddress']) {
  const made = new Map<string, Uint8Array>()
  return (peer: Peer<Client>): Uint8Array => {
    const bytes = made.get(peer.localAddress) ?? withOwnAddress(payload, ownAddress(peer))
    made.set(peer.localAddress, bytes)
    return bytes
  }
}

type Acting = Omit<MqttRelayOptions, 'peers' | 'ownAddress'> & {
  /** Whether the printer is still relayed. */
  readonly isRelayed: () => boolean
}

/** Runs a request as the corresponding operation. */
async function act (
  { kernel, log, printer, plates, protect, isRelayed }: Acting, request: ClientRequest, operation: string, who: Client,
  onSent: (id: string) => void
): Promise<void> {
  const send = async (to: PrinterSession): Promise<void> => {
    const reply = await to.send(request.command, { replyWithin: REPLY_MS, onSent })
    if (reply?.accepted === false) throw new Refused(printer, 'a command of the relay', reply.reason)
  }
  log.info({ printer, client: who.name, command: request.name }, 'command over the relay')
  await actAs(kernel, operation, printer, who, (to, check) => operation === 'projects.print'
    ? to.exclusively(`the start of a print by ${surfaceOf(who)}`, async over => {
      const path = readSlicerPrint(request.command)?.path
      const unprotect = protect((session, changed) => path !== undefined && session === to && holds(changed, path)
        ? `'${printer}' is about to print '${path}'`
        : undefined)
      try {
        const read = await checkPlate(plates, to, request, AbortSignal.any([over, who.signal]))
        await check() // another client may have begun a job while the plate was read
        over.throwIfAborted()
        if (!isRelayed()) throw new NotConnected(printer)
        await send(to)
        const { task_id: taskId, subtask_name: subtaskName } = request.command
        read?.follow?.({
          job: { taskId: String(taskId ?? ''), subtaskName: String(subtaskName ?? '') }, accepted: [], pauses: false
        })
      } finally {
        unprotect()
      }
    })
    : send(to))
}

export function createMqttRelay (options: MqttRelayOptions): MqttRelay {
  const { kernel, log, printer, peers, ownAddress } = options
  const pending = createPending(kernel.now)
  let session: PrinterSession | undefined
  let isIndented = false
  let version: Uint8Array | undefined
  let refreshedAt = -Infinity
  const acting = { ...options, isRelayed: () => session !== undefined }

  /**
   * Reports go to all clients unchanged, except for the printer's address; the reply to a command gets the sequence id
   * that its client used.
   */
  function passOn (payload: Uint8Array): void {
    isIndented = looksIndented(payload)
    const shown = withoutCode(payload, session?.config.accessCode ?? '')
    if (isVersion(shown)) version = shown
    const answered = pending.match(shown)
    const forPeer = addresser(shown, ownAddress)
    for (const peer of peers()) {
      if (!peer.isSubscribed) continue
      const bytes = forPeer(peer)
      peer.publish(peer === answered?.peer ? withSequenceId(bytes, answered.sequenceId) : bytes)
    }
  }

  function sendState (peer: Peer<Client>, sequenceId: unknown): void {
    if (session === undefined) return
    if (hasCurrentState(session)) {
      return peer.publish(withOwnAddress(fullReport(session, sequenceId, isIndented), ownAddress(peer)))
    }
    if (Math.abs(kernel.now() - refreshedAt) < REFRESH_EVERY_MS) return
    refreshedAt = kernel.now()
    session.refresh().catch(() => {}) // the report goes to all clients
  }

  async function serve (request: ClientRequest, peer: Peer<Client>): Promise<void> {
    let isSent = false
    const { name, sequenceId } = request
    const onSent = (id: string): void => { isSent = true; pending.add(id, { peer, sequenceId, name }) }
    const refuse = (reason: string): void => peer.publish(refusal(request, reason, isIndented))
    try {
      if (session === undefined) throw new NotConnected(printer)
      const verdict = judge(request, peer.who.access, session.model)
      switch (verdict.kind) {
        case 'status': return sendState(peer, request.sequenceId)
        case 'version':
          if (version !== undefined) return peer.publish(withSequenceId(version, request.sequenceId))
          await session.send(GET_VERSION, { onSent })
          return
        case 'read': await session.send(request.command, { onSent }); return
        case 'write': return await act(acting, request, verdict.operation, peer.who, onSent)
        case 'refused':
          log.warn({ printer, client: peer.who.name, command: request.name, why: verdict.reason }, 'refused over the relay')
          return refuse(verdict.reason)
      }
    } catch (error) {
      // once sent, the printer itself reports a refusal
      if (!isSent) refuse(kernel.redact((error as Error).message))
      log.info({ printer, client: peer.who.name, command: request.name, err: error }, 'command over the relay failed')
    }
  }

  return {
    subscribed: peer => sendState(peer, undefined),
    requested: createThrottle(() => performance.now(), serve,
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
