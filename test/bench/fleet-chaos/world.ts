import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSigningKey } from '../../../plugins/fleet/signing-key.js'
import { startPostgres, withoutPostgres } from '../../plugins/database/postgres.js'
import { ask, startHelper } from '../processes.js'
import type { LinkMode } from './links.js'
import type { LinkRecord, Order } from './links-process.js'
import { createServer, makeCertificates, PASSWORD, SITES, type Server } from './servers.js'
import { createService, type Service } from './services.js'

/** Below those that the system hands out. */
const FIRST_PORT = 31_300
const HAPPENS_EVERY_MS = 400

interface Made {
  readonly name: string
  readonly serial: string
  readonly accessCode: string
  readonly fingerprint: string
  readonly port: number
}

export interface Size {
  readonly nodes: number
  readonly hubs: number
  readonly printers: number
  readonly seed: number
  readonly reportMs: number
}

/** Orders to a process, one after the other: answers carry no name. */
function inTurn<In, Out> (work: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  let last: Promise<unknown> = Promise.resolve()
  return input => {
    const next = last.then(() => work(input))
    last = next.catch(() => {})
    return next
  }
}

/**
 * A fleet in processes of their own, in which everything reaches everything else over links.
 * @param end what is to be ended afterwards, the last first
 */
export async function createWorld (given: Size, folder: string, end: (() => unknown)[]) {
  const { printers: many, reportMs, seed } = given
  const printerHelper = await startHelper<{ printers: Made[] }>('fleet-chaos/printers-process',
    [many, reportMs, Math.max(HAPPENS_EVERY_MS, 20_000 / many), seed].map(String))
  end.push(printerHelper.stop)
  const printers = printerHelper.hello.printers
  const wires = await startHelper<string>('fleet-chaos/links-process', [])
  const counter = await startHelper<string>('fleet-chaos/links-process', [])
  end.push(wires.stop, counter.stop)
  const orderTo = ({ child }: typeof wires) => inTurn(async (order: Order) => {
    if (child.exitCode !== null) throw new Error('the process with the links has ended')
    const ended = new Promise<never>((_resolve, reject) => {
      child.once('exit', () => reject(new Error('the process with the links has ended')))
    })
    return await Promise.race([ask<unknown>(child, order), ended])
  })
  const [wire, count] = [orderTo(wires), orderTo(counter)]

  // Servers, each of which reaches the others and is reached over links.
  const certificates = makeCertificates(folder)
  const serverNames = ['nats1', 'nats2', 'nats3']
  const portsOf = (at: number) => ({ port: FIRST_PORT + at, clusterPort: FIRST_PORT + 10 + at })
  const ids = new Set<string>()
  const link = async (id: string, listen: { host: string, port: number }, port: number, by = wire) => {
    ids.add(id)
    await by({ order: 'open', id, listen, to: { host: '127.0.0.1', port } })
  }
  const servers: Server[] = []
  for (const [at, name] of serverNames.entries()) {
    const routes: number[] = []
    for (const [to, other] of serverNames.entries()) {
      if (to === at) continue
      const port = FIRST_PORT + 20 + at * 3 + to
      await link(`route>${name}>${other}`, { host: '127.0.0.1', port }, portsOf(to).clusterPort)
      routes.push(port)
    }
    const server = await createServer({ name, folder, ...portsOf(at), routes, certificates })
    end.push(() => server.close())
    servers.push(server)
  }
  await Promise.all(servers.map(server => server.start()))

  // Services. A quarter of the printers is shared by the two nodes of a site.
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  const waysOf = async (name: string, at: number) => {
    const ways: string[] = []
    for (const [to, server] of servers.entries()) {
      const port = FIRST_PORT + 40 + at * 3 + to
      await link(`${name}>${server.name}`, { host: '127.0.0.1', port }, server.port)
      ways.push(`tls://localhost:${port}`)
    }
    return ways
  }
  const siteOf = (node: number) => SITES[Math.floor(node / 2) % SITES.length] ?? ''
  const nodesOf = (at: number) => {
    const node = at % given.nodes
    const partner = node % 2 === 0 ? node + 1 : node - 1
    return at % 16 < 4 && partner < given.nodes ? [node, partner] : [node]
  }
  const nodeName = (at: number) => `node${at + 1}`
  const shared = printers.filter((_, at) => nodesOf(at).length > 1).map(({ name }) => name)
  const pool = (at: number) => ({ start: FIRST_PORT + 200 + at * 20, end: FIRST_PORT + 219 + at * 20 })
  const fleet = { ca: certificates.ca, password: { file: passwordFile }, replicas: servers.length }
  const hubName = (at: number) => `hub${at - given.nodes + 1}`
  const hubKeys = await Promise.all(Array.from({ length: given.hubs }, async (_, at) => {
    const own = join(folder, hubName(given.nodes + at), 'data', 'plugins', 'fleet')
    await mkdir(own, { recursive: true })
    return (await openSigningKey(own)).publicKey
  }))
  // Nodes that share printers record them in one database.
  const teardown = (stop: unknown) => { end.push(stop as () => unknown) }
  const postgres = withoutPostgres === false ? await startPostgres({ teardown }) : undefined
  const services: Service[] = []
  for (let at = 0; at < given.nodes + given.hubs; at++) {
    const isHub = at >= given.nodes
    const name = isHub ? hubName(at) : nodeName(at)
    const host = `127.0.1.${at + 1}`
    const own = isHub ? [] : [...printers.entries()].filter(([index]) => nodesOf(index).includes(at))
    for (const [index, printer] of own) {
      await link(`${name}>${printer.name}`, { host, port: FIRST_PORT + 500 + index }, printer.port, count)
    }
    services.push(await createService({
      name,
      command: isHub ? 'hub' : 'daemon',
      folder,
      port: pool(at).start,
      hasOwnClock: true,
      config: {
        ports: pool(at),
        ...(!isHub && {
          printers: own.map(([index, { name, serial, accessCode, fingerprint }]) => ({
            name, host, serial, accessCode, ports: { mqtt: FIRST_PORT + 500 + index }, tls: { mode: 'pin', fingerprint }
          }))
        }),
        plugins: {
          ...(!isHub && postgres && { database: { url: postgres.url } }),
          fleet: {
            ...fleet,
            servers: await waysOf(name, at),
            ...(isHub
              ? { site: `front${at}`, user: 'hub' }
              : {
                  site: siteOf(at),
                  node: name,
                  user: siteOf(at),
                  hubKeys,
                  shared: own.map(([, printer]) => printer.name).filter(printer => shared.includes(printer))
                })
          }
        }
      }
    }))
  }
  const nodes = services.slice(0, given.nodes)
  const hubs = services.slice(given.nodes)
  for (const service of services) end.push(() => service.end('SIGKILL'))
  for (const service of [...hubs, ...nodes]) await service.start()

  const names = new Map(printers.map(({ name }, at) => [name, nodesOf(at).map(nodeName)]))
  return {
    printers,
    shared,
    servers,
    nodes,
    hubs,
    ca: certificates.ca,
    hasOneHistory: postgres !== undefined,
    printersChild: printerHelper.child,
    /** Names of the nodes that may hold it. */
    nodesOf: (printer: string) => names.get(printer) ?? [],
    async setLinks (which: RegExp, mode: LinkMode): Promise<void> {
      const chosen = [...ids].filter(id => which.test(id))
      const isAtPrinter = (id: string) => id.includes('>virtual')
      await count({ order: 'set', ids: chosen.filter(isAtPrinter), mode })
      await wire({ order: 'set', ids: chosen.filter(id => !isAtPrinter(id)), mode })
    },
    atPrinters: async () => await count({ order: 'record' }) as LinkRecord
  }
}
