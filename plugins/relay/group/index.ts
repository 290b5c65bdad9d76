import type { FastifyBaseLogger } from 'fastify'
import { BadConfig, type Dispose, type Kernel } from '../../../core/index.js'
import { describeAtRest, parseModel, type AtRest, type ModelName } from '../../emulator/index.js'
import type { QueueService } from '../../queue/index.js'
import { createAnnouncer, type Announcer, type Peer } from '../../printer-servers/index.js'
import type { Certificates } from '../certificates.js'
import { openEndpoints, type Endpoints } from '../endpoints.js'
import type { Logins } from '../logins.js'
import { announcedAddress, wantedPorts, type Client, type Options } from '../options.js'
import type { Relayed } from '../relayed-printer.js'
import { createConnectionLimit } from '../connection-limit.js'
import { createGroupCard } from './card.js'
import { createGroupMqtt } from './mqtt.js'
import { spoolsOf } from './spools.js'
import { uploadsByClient } from './uploads.js'

export interface RelayedGroupDeps {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  readonly options: Options
  readonly wanted: Options['groups'][number]
  readonly queue: QueueService
  readonly logins: Logins
  readonly certificates: Certificates
}

/** Printers report several times a second; a group checks for changed spools at this interval. */
const CHECK_EVERY_MS = 5_000

function modelOf ({ group, model }: Options['groups'][number]): ModelName {
  try {
    return parseModel(model)
  } catch (error) {
    throw new BadConfig(`plugins.relay: model of the group '${group}': ${(error as Error).message}`)
  }
}

/** The printers that the options name, directly or as a group of the queue; all if none are named. */
function membersOf ({ printers = [] }: Options['groups'][number], { kernel, queue }: RelayedGroupDeps): readonly string[] {
  if (printers.length === 0) return kernel.printers.names
  return printers.flatMap(name => queue.groups.find(one => one.name === name)?.printers ?? name)
}

/** @param changed called when the report changes, since spools are loaded or removed */
function watchReport (read: () => unknown, changed: () => void): Dispose {
  let last = JSON.stringify(read())
  const timer = setInterval(() => {
    const next = JSON.stringify(read())
    if (next !== last) changed()
    last = next
  }, CHECK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Presents printers of one model as a single printer that only accepts prints, which go to the queue.
 * @throws PRN_ERR_CONFIG
 */
export function createRelayedGroup (deps: RelayedGroupDeps): Relayed {
  const { kernel, log, options, wanted, queue, logins, certificates } = deps
  const { group, printers = [] } = wanted
  const bind = wanted.bind ?? options.bind
  const address = announcedAddress(wanted, bind)
  const model = modelOf(wanted)
  const connections = createConnectionLimit(options.connectionsPerClient)
  const uploadsOf = uploadsByClient()
  let endpoints: Endpoints | undefined
  let announcer: Announcer | undefined
  let leave: Dispose = () => {}
  let problem = ''
  const name = wanted.name ?? group

  function describe (): AtRest {
    const sessions = membersOf(wanted, deps).flatMap(name => kernel.printers.get(name) ?? [])
      .filter(session => session.model.model === model)
    return describeAtRest({ model, name: group, address: address ?? '127.0.0.1', trays: spoolsOf(sessions) })
  }

  const ownAddress = ({ localAddress }: Peer<Client>) => ({ address: address ?? localAddress, rtsps: undefined })
  const mqtt = createGroupMqtt({ kernel, log, group, printers, describe, uploadsOf, ownAddress })

  async function open (): Promise<void> {
    const { serial, code, firmware } = describe()
    endpoints = await openEndpoints({
      kernel,
      log,
      printer: group,
      wanted: wanted.ports,
      bind,
      serial,
      mqtt,
      logins,
      connections,
      identity: await certificates(serial),
      session: () => undefined,
      describe: options.detect ? () => ({ serial, code, firmware, name }) : undefined,
      cardFor: (client, onFailed) => createGroupCard({
        queue, client, uploads: uploadsOf(client), now: kernel.now, onFailed
      })
    })
    if (options.announce && address !== undefined) {
      announcer = createAnnouncer({ serial, address, code, firmware, name: () => name }, options.announceTo)
      announcer.start()
    }
    leave = watchReport(() => describe().report, () => mqtt.changed(endpoints?.broker.peers ?? []))
  }

  async function close (): Promise<void> {
    leave()
    await announcer?.stop()
    await endpoints?.close()
    leave = () => {}
    announcer = endpoints = undefined
    problem = ''
  }

  return {
    printer: group,
    isGroup: true,
    bind,
    address,
    wantedPorts: wantedPorts(wanted.ports),
    get identity () { return { serial: describe().serial, model, name } },
    get ports () { return endpoints?.ports ?? {} },
    get connections () { return connections.all },
    get problem () { return problem },
    get warnings () { return endpoints?.warnings ?? [] },
    open: () => open().catch((error: Error) => {
      problem = kernel.redact(error.message)
      log.error({ group, bind, err: error }, `the group '${group}' cannot be relayed: ${problem}`)
    }),
    close
  }
}
