// Many printers on which things happen and go wrong, many programs that use them, and a daemon that is killed in the
// middle: node --import=tsx test/hardening/chaos.ts [minutes] [--printers 100] [--seed 1]. Needs a build.
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ask, startHelper } from '../bench/processes.js'
import { createDaemon, type Daemon, type Usage } from './chaos/daemon.js'
import { listen } from './chaos/feed.js'
import type { Figures } from './chaos/figures.js'
import { damaged, differing, readKept } from './chaos/files.js'
import { balance, type Entry } from './chaos/ledger.js'
import { report, verdict, type Return } from './chaos/summary.js'

interface Hello { readonly printers: readonly PrinterEntry[], readonly runners: readonly string[] }
interface PrinterEntry {
  readonly name: string
  readonly host: string
  readonly serial: string
  readonly accessCode: string
  readonly ports: { readonly mqtt: number, readonly ftps: number, readonly camera?: number, readonly rtsps?: number }
}
interface Ledger {
  readonly due: readonly Entry[]
  readonly may: readonly Entry[]
  readonly troubles: Readonly<Record<string, number>>
  readonly unrest: readonly string[]
}

const PORT = 47_831
const JPEG_CAMERAS = 8
const RTSPS_CAMERAS = 2
const MINUTE_MS = 60_000
const CALM_WITHIN_MS = 180_000
const DOWN_MS = 2_000
const HASTE_MS = 3_000
const LINKED_WITHIN_MS = 120_000
/** Longer than the longest wait before another attempt to connect, and than an alert takes. */
const AFTER_MS = 20_000

const { values, positionals: [minutes = '30'] } = parseArgs({
  allowPositionals: true,
  options: { printers: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } }
})
const count = Number(values.printers)
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** Those with a camera first; the others have none that could be reached. */
function arranged (printers: readonly PrinterEntry[]): object[] {
  const jpeg = printers.filter(({ ports }) => ports.camera !== undefined).slice(0, JPEG_CAMERAS)
  const rtsps = printers.filter(({ ports }) => ports.rtsps !== undefined).slice(0, RTSPS_CAMERAS)
  const seen = [...jpeg, ...rtsps]
  const dark = printers.filter(printer => !seen.includes(printer))
    .map(({ ports: { mqtt, ftps }, ...printer }) => ({ ...printer, ports: { mqtt, ftps, camera: 9, rtsps: 9 } }))
  return [...seen, ...dark]
}

/** How many are connected; NaN when the service did not say. */
async function linked (url: string): Promise<number> {
  try {
    const reply = await fetch(`${url}/api/printers`, { signal: AbortSignal.timeout(LINKED_WITHIN_MS) })
    const { printers } = await reply.json() as { printers: { connected: boolean }[] }
    return printers.filter(({ connected }) => connected).length
  } catch {
    return NaN
  }
}

/** @returns ms until all were connected; undefined when they were not in time */
async function allLinked (url: string, wanted: number): Promise<number | undefined> {
  const begin = performance.now()
  while (performance.now() - begin < LINKED_WITHIN_MS) {
    if (await linked(url) >= wanted) return performance.now() - begin
    await sleep(200)
  }
  return undefined
}

async function addPrinter (url: string, printer: PrinterEntry): Promise<void> {
  const client = new Client({ name: 'chaos', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  const { name, host: ip, serial, accessCode, ports } = printer
  await client.callTool({
    name: 'add_printer',
    arguments: { name, ip, serial, access_code: accessCode, mqtt_port: ports.mqtt, user_permission: true }
  })
  await client.close()
}

const fleet = await startHelper<Hello>('./chaos/fleet', [String(count), values.seed])
const added = fleet.hello.printers[count] as PrinterEntry
const daemon = await createDaemon({ printers: arranged(fleet.hello.printers.slice(0, count)) }, PORT)
say(`${count} printers; files in ${daemon.folder}; up in ${Math.round(await daemon.start())} ms`)
await allLinked(daemon.url, count)
await addPrinter(daemon.url, added)
say(`${await linked(daemon.url)} of ${count + 1} connected`)
const feed = await listen(daemon.url)
const clients = await startHelper<object>('./chaos/clients', [daemon.url, String(JPEG_CAMERAS + RTSPS_CAMERAS)])
const prober = await startHelper<object>('./chaos/probe', [daemon.url])
const ledger = (order = 'count') => ask<Ledger>(fleet.child, order)
const figures = (order = 'count') => ask<Figures>(clients.child, order)

const samples: { readonly at: number, readonly usage: Usage }[] = []
const latencies: number[] = []
let last: { readonly at: number, readonly usage: Usage } | undefined

async function line (): Promise<void> {
  const now = { at: performance.now(), usage: daemon.usage() }
  const seen = await figures()
  const took = await ask<number[]>(prober.child, 'count')
  const { due, troubles } = await ledger()
  samples.push(now)
  latencies.push(...took)
  say(report({
    now,
    last,
    seen,
    latencies: took,
    due: due.length,
    came: feed.came.length,
    troubles,
    linked: await linked(daemon.url)
  }))
  last = now
}

/** One line a minute for so long. */
async function live (ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    await sleep(Math.min(MINUTE_MS, Math.max(0, end - performance.now())))
    await line()
  }
}

/** Until everything that happened could be seen. */
async function calm (): Promise<void> {
  const end = performance.now() + CALM_WITHIN_MS
  let { unrest } = await ledger('calm')
  while (unrest.length > 0 && performance.now() < end) {
    await sleep(1_000)
    unrest = (await ledger()).unrest
  }
  if (unrest.length > 0) say(`not at rest: ${unrest.join(', ')}`)
  await sleep(3_000)
}

async function preferenceProblems (daemon: Daemon): Promise<string[]> {
  const { preferences } = await figures()
  const printers = await (await fetch(`${daemon.url}/api/printers`)).json() as { printers: { name: string }[] }
  const checked = await Promise.all(Object.entries(preferences).map(async ([key, { stored, sent }], at) => {
    const name = encodeURIComponent(printers.printers[at]?.name ?? '')
    const reply = await fetch(`${daemon.url}/api/user_prefs?printer=${name}&key=${key}`)
    const { value } = await reply.json() as { value?: number }
    return value !== undefined && value >= stored && value <= sent ? [] : [`${key} is ${value}, stored ${stored}, sent ${sent}`]
  }))
  return checked.flat()
}

async function killAndReturn (): Promise<Return> {
  const before = await readKept(daemon.folder)
  const told = feed.raw.length
  await figures('hasty')
  await sleep(HASTE_MS)
  await figures('away')
  await daemon.kill()
  await ledger('forgotten')
  await sleep(DOWN_MS)
  const upMs = await daemon.start()
  const forgotten = await preferenceProblems(daemon)
  await figures('back')
  const linkedMs = await allLinked(daemon.url, count + 1)
  await sleep(AFTER_MS)
  const changed = [...differing(before, await readKept(daemon.folder)), ...await damaged(daemon.folder)]
  const alerts = feed.raw.slice(told).map(({ printer, type }) => `${printer} ${type}`)
  return { upMs, linkedMs, changed, alerts, forgotten }
}

const runners = new Set(fleet.hello.runners)
const isCounted = ({ printer, type }: Entry) =>
  !type.startsWith('health_') && !(runners.has(printer) && type === 'stage_change')

async function account () {
  const { due, may } = await ledger()
  return balance(due, feed.came.filter(isCounted), may)
}

const half = Number(minutes) * MINUTE_MS / 2
await ledger('on')
await live(half)
await calm()
const sofar = await account()
say(`until here ${sofar.matched} alerts came, ${sofar.lost.length} lost, ${sofar.untrue.length} not true`)
const killed = await killAndReturn()
say(`killed: up in ${Math.round(killed.upMs)} ms, all connected ${Math.round(killed.linkedMs ?? NaN)} ms later; ` +
  `false alerts ${killed.alerts.length}, files changed ${killed.changed.length}, preferences lost ${killed.forgotten.length}`)
const sampledBefore = samples.length
last = undefined
await ledger('on')
await live(half)
await calm()
const seen = await figures('away')
const end = await ledger()
const whole = await account()
const stopMs = await daemon.stop()
feed.close()
const bars = verdict({
  account: whole,
  killed,
  seen,
  latencies,
  stopMs,
  before: samples.slice(0, sampledBefore),
  after: samples.slice(sampledBefore),
  health: feed.came.filter(({ type }) => type.startsWith('health_')).length,
  troubles: end.troubles
})
for (const { name, what, pass } of bars) say(`${pass === undefined ? '    ' : pass ? 'pass' : 'FAIL'} ${name}: ${what}`)
await Promise.all([fleet.stop(), clients.stop(), prober.stop()])
process.exitCode = bars.some(({ pass }) => pass === false) ? 1 : 0
