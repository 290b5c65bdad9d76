// `npm run bench fleet-chaos -- --minutes 30 --nodes 4 --hubs 2 --printers 200 --seed 1`
// Needs nats-server and openssl; PostgreSQL to judge the history, faketime for wrong clocks, and the right to mount
// for full disks.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../../core/printer/helpers/random.js'
import { ask } from '../processes.js'
import { disturb } from './faults.js'
import type { Arrived, Asked, Fault, Owned, Told } from './judge.js'
import { command, hearAlerts, login, lookAt, lookForAll, readLog, readPrints, readStream, watchLeases, type Sight } from './observers.js'
import type { Service } from './services.js'
import { summary } from './summary.js'
import { createWorld } from './world.js'

const COMMANDS_EVERY_MS = 250
const LOOK_EVERY_MS = 2_000
/** What is told now is stored within it. */
const AFTERWARDS_MS = 5_000
/** Nodes send each alert once more after a minute, in case the servers lost it. */
const CONFIRMED_MS = 70_000
const SETTLED_WITHIN_MS = 180_000
/** A node is heard again by then. */
const BACK_MS = 30_000
const MOST_OPEN = 100

function options (args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      nodes: { type: 'string', default: '4' },
      hubs: { type: 'string', default: '2' },
      printers: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      'report-ms': { type: 'string' }
    }
  })
  const printers = Number(values.printers)
  return {
    minutes: Number(values.minutes),
    nodes: Number(values.nodes),
    hubs: Number(values.hubs),
    printers,
    seed: Number(values.seed),
    only: values.only === undefined ? undefined : new RegExp(values.only),
    keep: values.keep,
    /** Two cores do not bear 200 printers that report every second beside everything else. */
    reportMs: Number(values['report-ms'] ?? (printers > 50 ? 5_000 : 1_000))
  }
}

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** @returns how many of the rules were broken */
export async function fleetChaos (args: readonly string[]): Promise<number> {
  const given = options(args)
  const random = createRandom(given.seed)
  const folder = await mkdtemp(join(tmpdir(), 'prnd-fleet-chaos-'))
  const end: (() => unknown)[] = []
  try {
    const broken = await run(given, random, folder, end)
    if (!given.keep && broken === 0) end.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    else say(`kept: ${folder}`)
    return broken
  } finally {
    for (const stop of end.reverse()) await Promise.resolve().then(stop).catch((error: Error) => say(error.message))
  }
}

async function run (given: ReturnType<typeof options>, random: ReturnType<typeof createRandom>, folder: string,
  end: (() => unknown)[]): Promise<number> {
  const world = await createWorld(given, folder, end)
  const { printers, shared, servers, nodes, hubs, printersChild } = world

  const nats = await login(servers.map(({ port }) => port), world.ca)
  const abort = new AbortController()
  end.push(() => nats.close(), () => abort.abort())
  const owned: Owned[] = []
  const told: Told[] = []
  const serials = new Map(printers.map(({ serial, name }) => [serial, name]))
  watchLeases(nats, serial => serials.get(serial) ?? serial, owned, abort.signal)
  for (const node of nodes) hearAlerts(node, told, abort.signal)

  const readyIn = await settle(hubs, nodes, printers.length)
  say(`all ${printers.length} printers are live at every hub after ${(readyIn / 1000).toFixed(1)} s`)

  // Disturbed, used and looked at.
  const asked: Asked[] = []
  const pending = new Set<Promise<void>>()
  const asking = setInterval(() => {
    const hub = random.pick(hubs)
    if (pending.size >= MOST_OPEN || !hub.isRunning) return
    const mark = ++marks
    const work = command(hub, random.pick(printers).name, mark).then(answer => { asked.push(answer) })
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }, COMMANDS_EVERY_MS)
  let marks = 0
  const sight: Sight = { checks: 0, wrong: [], heard: 0, unheard: [] }
  const faults: Fault[] = []
  const pinnedAt = (node: string) => printers.map(({ name }) => name)
    .filter(name => !shared.includes(name) && world.nodesOf(name).includes(node))
  const gone = () => faults.filter(({ kind }) => /^node (killed|cut off|falls silent|stands still)/.test(kind))
  const isHubFine = (hub: Service) => !faults.some(({ target, to }) =>
    (target === hub.name || /nats/.test(target)) && to > Date.now() - 10_000)
  const fineNodes = () => nodes.filter(({ name, isRunning, since }) => isRunning && since < Date.now() - BACK_MS &&
    !faults.some(({ target, to }) => (target === name || /nats/.test(target)) && to > Date.now() - BACK_MS))
  const looking = setInterval(() => {
    for (const hub of hubs.filter(hub => hub.isRunning && isHubFine(hub))) {
      const isWayFine = (since: number) => !faults.some(({ target, to }) =>
        (target === hub.name || /nats/.test(target)) && to > since)
      void lookAt(hub, gone(), pinnedAt, isWayFine, sight)
      if (hub.since < Date.now() - BACK_MS) void lookForAll(hub, fineNodes().map(({ name }) => name), sight)
    }
  }, LOOK_EVERY_MS)
  const until = Date.now() + given.minutes * 60_000
  await disturb(world, until, random, say, faults, given.only)
  clearInterval(asking)
  clearInterval(looking)
  say('calm again')
  await ask(printersChild, 'stop')
  await Promise.all(pending)
  const calmIn = await settle(hubs, nodes, printers.length)
  await sleep(AFTERWARDS_MS)
  const toldBefore = Date.now()
  await sleep(CONFIRMED_MS)

  const { arrived, jobs } = await ask<{ arrived: Arrived[], jobs: string[] }>(printersChild, 'record')
  const record = await world.atPrinters()
  const records = world.hasOneHistory && nodes[0] ? await readPrints(nodes[0]) : undefined
  const stream = await readStream(nats)
  const logs = await Promise.all(hubs.map(readLog))
  const all = {
    given,
    asked,
    arrived,
    record,
    owned,
    faults,
    stream,
    told: told.filter(({ at }) => at < toldBefore),
    logs,
    sight,
    shared,
    jobs,
    records,
    died: [...nodes, ...hubs].flatMap(({ died }) => died),
    readyIn,
    calmIn
  }
  await writeFile(join(folder, 'record.json'), JSON.stringify(all))
  const { text, broken } = summary(all, world.nodesOf)
  console.log(text)
  return broken
}

/** @returns ms until every hub shows every printer as live, and nothing waits at a node; Infinity when that is never */
async function settle (hubs: readonly Service[], nodes: readonly Service[], count: number): Promise<number> {
  const begin = Date.now()
  const read = async (url: string): Promise<unknown> =>
    await (await fetch(url, { signal: AbortSignal.timeout(10_000) })).json()
  const isSettled = async () => {
    for (const { url } of hubs) {
      const { printers } = await read(`${url}/api/printers`) as { printers: { connected: boolean }[] }
      if (printers.filter(({ connected }) => connected).length < count) return false
    }
    for (const { url } of nodes) {
      const { waiting_alerts: waiting } = await read(`${url}/api/fleet/nodes`) as { waiting_alerts: number }
      if (waiting > 0) return false
    }
    return true
  }
  while (Date.now() - begin < SETTLED_WITHIN_MS) {
    if (await isSettled().catch(() => false)) return Date.now() - begin
    await sleep(500)
  }
  return Infinity
}
