import type { FastifyBaseLogger } from 'fastify'
import type { Kernel } from '../../../core/index.js'
import type { AtRest } from '../../emulator/index.js'
import type { BrokerHandler, Peer } from '../../printer-servers/index.js'
import { surfaceOf } from '../act.js'
import type { Client } from '../options.js'
import { withOwnAddress, type OwnAddress } from '../own-address.js'
import { acceptance, answer, refusal } from '../reports.js'
import type { ClientRequest } from '../requests.js'
import { createThrottle } from '../throttle.js'
import { readSlicerPrint } from '../slicer-print.js'
import type { Uploads } from './uploads.js'

export interface GroupMqttOptions {
  readonly kernel: Pick<Kernel, 'call' | 'operation' | 'redact' | 'now'>
  readonly log: FastifyBaseLogger
  /** Name of the group. */
  readonly group: string
  /** Printers, or groups of the queue, that may print its jobs; empty for any. */
  readonly printers: readonly string[]
  readonly describe: () => AtRest
  readonly uploadsOf: (client: Client) => Uploads
  /** Where a client reaches the group. */
  readonly ownAddress: (peer: Peer<Client>) => OwnAddress
}

/** The MQTT side of a group: an idle printer that queues print commands. */
export function createGroupMqtt (options: GroupMqttOptions):
Pick<BrokerHandler<Client>, 'subscribed' | 'requested'> & { changed (peers: Iterable<Peer<Client>>): void } {
  const { kernel, log, group, printers, describe, uploadsOf, ownAddress } = options

  function sendState (peer: Peer<Client>, sequenceId: unknown): void {
    const { report, isIndented } = describe()
    const body = { ...report, command: 'push_status', msg: 0, sequence_id: sequenceId ?? '0' }
    peer.publish(withOwnAddress(answer({ print: body }, isIndented), ownAddress(peer)))
  }

  /** @throws errors of the queue */
  async function queueJob ({ command }: ClientRequest, { who }: Peer<Client>): Promise<void> {
    const job = readSlicerPrint(command)
    const add = kernel.operation('queue.add')
    if (job === undefined) throw new Error('the command names no file and plate')
    if (add === undefined) throw new Error('this service has no queue')
    const file = uploadsOf(who).find(job.path)?.file
    // a file of the same name in the library may be an older version
    if (file === undefined) throw new Error(`'${job.path}' was not sent by this client recently: send it again`)
    const input = { file, plate: job.plate, printers: [...printers], ...job.options }
    who.signal.throwIfAborted()
    await kernel.call(add, input, { surface: surfaceOf(who), signal: who.signal })
  }

  async function serve (request: ClientRequest, peer: Peer<Client>): Promise<void> {
    const { isIndented, version } = describe()
    const refuse = (reason: string): void => {
      log.warn({ group, client: peer.who.name, command: request.name, why: reason }, 'refused over the relay')
      peer.publish(refusal(request, reason, isIndented))
    }
    switch (request.name) {
      case 'pushing.pushall':
      case 'pushing.start': return sendState(peer, request.sequenceId)
      case 'pushing.stop': return
      case 'info.get_version':
        return peer.publish(answer({ info: { ...version, sequence_id: request.sequenceId } }, isIndented))
      case 'print.project_file':
        if (peer.who.access === 'read') return refuse('this access code is for reading only')
        try {
          await queueJob(request, peer)
        } catch (error) {
          return refuse(kernel.redact((error as Error).message))
        }
        log.info({ group, client: peer.who.name }, 'a job was queued over the relay')
        return peer.publish(acceptance(request, isIndented))
      default: return refuse('this is a group of printers: it only takes prints, for the queue')
    }
  }

  return {
    subscribed: peer => sendState(peer, undefined),
    requested: createThrottle(() => performance.now(), serve,
      client => log.debug({ group, client: client.name }, 'too many requests')),
    changed (peers) {
      for (const peer of peers) if (peer.isSubscribed) sendState(peer, undefined)
    }
  }
}
