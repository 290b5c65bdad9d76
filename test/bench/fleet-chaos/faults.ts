// What goes wrong, and when. Each kind takes hold and is mended. Some stand alone, so that it can be told what follows
// from them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../core/printer/helpers/random.js'
import type { Fault } from './judge.js'
import type { LinkMode } from './links.js'
import type { Server } from './servers.js'
import type { Service } from './services.js'

export interface World {
  readonly nodes: readonly Service[]
  readonly hubs: readonly Service[]
  readonly servers: readonly Server[]
  /** Sets links whose names match. */
  readonly setLinks: (which: RegExp, mode: LinkMode) => Promise<void>
}

/** Each needs a part of the world for itself. */
interface Kind {
  readonly kind: string
  readonly weight: number
  readonly seconds: readonly [least: number, most: number]
  readonly on: 'node' | 'hub' | 'servers'
  /** @returns undefined where it cannot be done here */
  begin (world: World, at: number, random: Random): Promise<(() => Promise<void>) | undefined>
}

const linksOf = (service: Service | undefined) => new RegExp(`^${service?.name}>nats`)
const routesOf = (server: Server | undefined) => new RegExp(`^(route>${server?.name}>|route>nats\\d>${server?.name}$)`)

const onLinks = (kind: string, weight: number, seconds: Kind['seconds'], on: Kind['on'], mode: LinkMode,
  which: (world: World, at: number, random: Random) => RegExp): Kind => ({
  kind,
  weight,
  seconds,
  on,
  async begin (world, at, random) {
    const links = which(world, at, random)
    await world.setLinks(links, mode)
    return () => world.setLinks(links, 'open')
  }
})

const killed = (on: 'node' | 'hub', weight: number, seconds: Kind['seconds']): Kind => ({
  kind: `${on} killed`,
  weight,
  seconds,
  on,
  async begin ({ nodes, hubs }, at) {
    const service = on === 'node' ? nodes[at] : hubs[at]
    await service?.end('SIGKILL')
    return async () => { await service?.start() }
  }
})

const KINDS: readonly Kind[] = [
  killed('node', 4, [2, 25]),
  killed('hub', 2, [1, 6]),
  onLinks('node cut off', 3, [4, 30], 'node', 'cut', ({ nodes }, at) => linksOf(nodes[at])),
  onLinks('node falls silent', 3, [4, 30], 'node', 'silent', ({ nodes }, at) => linksOf(nodes[at])),
  onLinks('node is slow', 2, [15, 40], 'node', 'slow', ({ nodes }, at) => linksOf(nodes[at])),
  onLinks('printers cut off', 1, [3, 12], 'node', 'cut', ({ nodes }, at) => new RegExp(`^${nodes[at]?.name}>virtual`)),
  onLinks('hub cut off', 1, [3, 15], 'hub', 'cut', ({ hubs }, at) => linksOf(hubs[at])),
  onLinks('hub falls silent', 1, [3, 20], 'hub', 'silent', ({ hubs }, at) => linksOf(hubs[at])),
  onLinks('hub is slow', 1, [15, 40], 'hub', 'slow', ({ hubs }, at) => linksOf(hubs[at])),
  onLinks('server alone', 2, [5, 20], 'servers', 'silent', ({ servers }, at) => routesOf(servers[at])),
  onLinks('route cut', 1, [5, 20], 'servers', 'cut', ({ servers }, at) =>
    new RegExp(`^route>(${servers[at]?.name}>${servers[(at + 1) % servers.length]?.name}|${servers[(at + 1) % servers.length]?.name}>${servers[at]?.name})$`)),
  {
    kind: 'server killed',
    weight: 3,
    seconds: [2, 12],
    on: 'servers',
    async begin ({ servers }, at) {
      await servers[at]?.kill()
      return async () => { await servers[at]?.start() }
    }
  },
  {
    kind: 'all servers killed',
    weight: 0.5,
    seconds: [1, 6],
    on: 'servers',
    async begin ({ servers }) {
      await Promise.all(servers.map(server => server.kill()))
      return async () => { await Promise.all(servers.map(server => server.start())) }
    }
  },
  {
    kind: 'disk full',
    weight: 1,
    seconds: [10, 20],
    on: 'servers',
    async begin ({ servers }, at) {
      const server = servers[at]
      if (server?.isSmall !== true) return undefined
      server.fill()
      return async () => { // as an operator would: room is made, and the server, which gave up its store, begins anew
        await server.free()
        await server.kill()
        await server.start()
      }
    }
  },
  {
    kind: 'node stands still',
    weight: 2,
    seconds: [3, 25],
    on: 'node',
    async begin ({ nodes }, at) {
      nodes[at]?.signal('SIGSTOP')
      return async () => nodes[at]?.signal('SIGCONT')
    }
  },
  ...(['node', 'hub'] as const).map((on): Kind => ({
    kind: `clock of ${on} jumps`,
    weight: 2,
    seconds: [10, 40],
    on,
    async begin ({ nodes, hubs }, at, random) {
      const service = on === 'node' ? nodes[at] : hubs[at]
      if (service?.hasClock !== true) return undefined
      await service.setClock(random.pick(['+1h', '-1h']))
      return () => service.setClock('+0')
    }
  }))
]

const EVERY_S: readonly [number, number] = [2, 9]
const MOST_AT_ONCE = 3
const ALONE = 0.15
/** Long enough before and after for the leases of both nodes to be settled. */
const QUIET_MS = 22_000
const HUB_SETTLED_MS = 8_000

/** Disturbs the world until the time is over, then mends what is left. @param faults grows */
export async function disturb (world: World, untilMs: number, random: Random, log: (text: string) => void,
  faults: Fault[], only?: RegExp): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const kinds = KINDS.filter(({ kind }) => only === undefined || only.test(kind))
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0)

  function choose (): Kind | undefined {
    let left = random.next() * total
    return kinds.find(({ weight }) => (left -= weight) <= 0)
  }

  async function run (kind: Kind, at: number, target: string): Promise<void> {
    const fault = { kind: kind.kind, target, from: Date.now(), to: Infinity, isMending: false }
    const seconds = kind.seconds[0] + random.next() * (kind.seconds[1] - kind.seconds[0])
    const mend = await kind.begin(world, at, random)
    if (mend === undefined) return
    faults.push(fault)
    log(`${kind.kind}: ${target} for ${seconds.toFixed(1)} s`)
    await sleep(Math.min(seconds * 1000, Math.max(1_000, untilMs - Date.now())))
    fault.isMending = true
    await mend()
    fault.to = Date.now()
    log(`  mended: ${target}, ${kind.kind}`)
  }

  function begin (kind: Kind): void {
    const all = { node: world.nodes, hub: world.hubs, servers: world.servers }[kind.on]
    const at = random.int(all.length)
    const target = all[at]?.name ?? ''
    // One server at a time, as a cluster of three bears no more; one hub, as somebody has to keep the alerts.
    const key = kind.on === 'node' ? target : kind.on
    if (running.has(key)) return
    const other = world.hubs[1 - at]
    const isOtherNew = other === undefined || !other.isRunning || Date.now() - other.since < HUB_SETTLED_MS
    if (kind.on === 'hub' && isOtherNew) return
    const work = run(kind, at, target).finally(() => running.delete(key))
    running.set(key, work)
  }

  while (Date.now() < untilMs) {
    const kind = choose()
    if (random.chance(ALONE)) {
      await Promise.all(running.values())
      await sleep(Math.max(0, Math.min(QUIET_MS, untilMs - Date.now())))
      if (kind && Date.now() < untilMs) begin(kind)
      await sleep(Math.max(0, Math.min(QUIET_MS, untilMs - Date.now())))
    } else if (kind && running.size < MOST_AT_ONCE) begin(kind)
    await sleep(1000 * (EVERY_S[0] + random.next() * (EVERY_S[1] - EVERY_S[0])))
  }
  await Promise.all(running.values())
}
