// What is seen of the fleet from outside while it is disturbed.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { connect, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import WebSocket from 'ws'
import { verifyMessage } from '../../../plugins/fleet/signed-message.js'
import { PASSWORD } from './servers.js'
import type { Asked, Fault, Owned, Recorded, Stored, Told } from './judge.js'
import type { Service } from './services.js'

interface Alert {
  readonly type: string
  readonly printer: string
  readonly timestamp?: string
  readonly at?: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** The log of a hub leaves these out, as they come and go with every print. */
const PASSING = new Set(['stage_change', 'job_started', 'job_resumed', 'hms_error_cleared'])
const AGAIN_MS = 200

const textOf = ({ type, printer, timestamp, at, payload }: Alert): string =>
  `${printer} ${type} ${Date.parse(timestamp ?? at ?? '')} ${JSON.stringify(Object.entries(payload).sort())}`

export const login = (ports: readonly number[], ca: string): Promise<NatsConnection> => connect({
  servers: ports.map(port => `tls://localhost:${port}`),
  tls: { ca: readFileSync(ca, 'utf8') },
  authenticator: usernamePasswordAuthenticator('observer', PASSWORD),
  maxReconnectAttempts: -1,
  reconnectTimeWait: AGAIN_MS,
  waitOnFirstConnect: true
})

/** All prints of a database, by one of the services that share it. */
export async function readPrints ({ url }: Service): Promise<Recorded[]> {
  const records: Recorded[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({ limit: '200', ...(cursor !== '' && { cursor }) })
    const reply = await fetch(`${url}/api/history?${query}`, { signal: AbortSignal.timeout(10_000) })
    const page = await reply.json() as { prints: Recorded[], cursor: string | null }
    records.push(...page.prints.map(({ name, printer, result }) => ({ name, printer, result })))
    cursor = page.cursor
  }
  return records
}

/** Alerts as a node tells them of itself; it is listened to again after it was killed. */
export function hearAlerts (node: Service, told: Told[], signal: AbortSignal): void {
  let socket: WebSocket | undefined
  signal.addEventListener('abort', () => socket?.close(), { once: true })
  void (async () => {
    while (!signal.aborted) {
      const current = socket = new WebSocket(`${node.url.replace('http', 'ws')}/api/live?topics=alerts`)
      current.on('message', data => {
        const { topic, data: alert } = JSON.parse(String(data)) as { topic: string, data: Alert }
        if (topic === 'alerts') told.push({ node: node.name, alert: textOf(alert), at: Date.now() })
      })
      await new Promise<void>(resolve => current.on('error', () => {}).once('close', () => resolve()))
      await sleep(AGAIN_MS)
    }
  })()
}

/** Who has the leases, by the time at which the servers stored it. */
export function watchLeases (nats: NatsConnection, nameOf: (serial: string) => string, owned: Owned[],
  signal: AbortSignal): void {
  const seen = new Set<number>()
  void (async () => {
    while (!signal.aborted) {
      try {
        const watch = await (await new Kvm(nats).open('prnd-main-leases')).watch()
        for await (const { key, revision, created, value } of watch) {
          if (seen.has(revision)) continue
          seen.add(revision)
          const place = Buffer.from(value).toString().split(' ')[0] ?? ''
          owned.push({ printer: nameOf(key.split('.')[1] ?? ''), node: place.split('/')[1], at: created.getTime() })
          if (signal.aborted) break
        }
      } catch { // the servers are not there
      }
      await sleep(AGAIN_MS)
    }
  })()
}

/** Every alert that the servers have. */
export async function readStream (nats: NatsConnection): Promise<Stored[]> {
  const consumer = await jetstream(nats).consumers.get('prnd-main-events', {})
  const { num_pending: pending } = await consumer.info()
  const found: Stored[] = []
  if (pending === 0) return found
  for await (const message of await consumer.consume()) {
    const signed = verifyMessage(message.data, message.subject, () => true)
    if (signed === undefined) throw new Error(`an event on ${message.subject} is not signed`)
    const { journal, number, alert } = JSON.parse(signed.content.toString()) as
      { journal: string, number: number, alert: Alert }
    found.push({ journal, number, alert: textOf(alert), isKept: !PASSING.has(alert.type) })
    if (message.info.pending === 0) break
  }
  return found
}

/** Every alert that a hub has kept. */
export async function readLog ({ url }: Service): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await (await fetch(`${url}/api/alert_log?limit=200${more}`)).json() as
      { alerts: Alert[], cursor: string | null }
    found.push(...page.alerts.map(textOf))
    ;({ cursor } = page)
  }
  return found
}

const NOT_SENT = new Set(['not_connected', 'overloaded', 'bad_input', 'not_found', 'printer_busy', 'conflict', 'held_elsewhere'])
const PATIENCE_MS = 40_000

/** Has a hub send one command that can be told from all others. */
export async function command (hub: Service, printer: string, mark: number): Promise<Asked> {
  try {
    const reply = await fetch(`${hub.url}/api/send_gcode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ printer, gcode: `M117 chaos ${mark}` }),
      signal: AbortSignal.timeout(PATIENCE_MS)
    })
    const text = await reply.text()
    const { error = '' } = reply.ok ? {} : JSON.parse(text) as { error?: string }
    const outcome = reply.ok ? 'done' : NOT_SENT.has(error) || reply.status === 409 ? 'refused' : 'unknown'
    return { mark, outcome, text: `${hub.name} ${reply.status} ${text.slice(0, 200)}` }
  } catch (error) {
    return { mark, outcome: 'unknown', text: `${hub.name} ${String((error as Error).cause ?? error)}` }
  }
}

/** `unheard`: nodes that nothing was wrong with. */
export interface Sight { checks: number, readonly wrong: string[], heard: number, readonly unheard: string[] }

/** A node is told to be gone after seven seconds; a hub that was busy notices later. */
const NOTICED_MS = 12_000
/** What is mended is heard again after a while, unless it is gone again by then. */
const MENDED_MS = 8_000
const AGE_WITHIN_S = 6

/** When a node was gone that was hardly back before this fault. */
function firstOf ({ target, from }: Fault, gone: readonly Fault[]): number {
  const before = gone.find(other => other.target === target && other.from < from && other.to > from - MENDED_MS)
  return before === undefined ? from : firstOf(before, gone)
}

const REASON = /has not been (heard|heard since)|cut off|begun anew|refused|ECONN/i

/** Looks whether a hub hears all nodes that it should. */
export async function lookForAll (hub: Service, fine: readonly string[], sight: Sight): Promise<void> {
  if (fine.length === 0) return
  try {
    const reply = await fetch(`${hub.url}/api/fleet/nodes`, { signal: AbortSignal.timeout(5_000) })
    const { nodes } = await reply.json() as { nodes: { node: string, reachable: boolean, seen_s: number }[] }
    for (const name of fine) {
      const node = nodes.find(one => one.node === name)
      sight.heard++
      if (node?.reachable !== true) sight.unheard.push(`${hub.name} of ${name}: ${JSON.stringify(node)}`)
    }
  } catch { // it was killed meanwhile
  }
}

/**
 * Looks whether a hub says of every printer of a node that is gone that it is not connected, and why; and of the node
 * how long ago it was heard, unless something was wrong between the two: what servers hold back comes late.
 */
export async function lookAt (hub: Service, gone: readonly Fault[], printersOf: (node: string) => readonly string[],
  isWayFine: (since: number) => boolean, sight: Sight): Promise<void> {
  const begin = Date.now()
  const due = gone.filter(({ from, to, isMending }) => begin - from > NOTICED_MS && to > begin && isMending !== true)
  if (due.length === 0 || begin - hub.since < NOTICED_MS) return
  const ask = async (path: string) => (await fetch(`${hub.url}/api/${path}`, { signal: AbortSignal.timeout(5_000) })).json()
  try {
    const { printers } = await ask('printers') as
      { printers: { name: string, connected: boolean, problem?: { message: string } }[] }
    const { nodes } = await ask('fleet/nodes') as { nodes: { node: string, reachable: boolean, seen_s: number }[] }
    for (const fault of due) {
      const { target, from } = fault
      if (fault.isMending === true) continue // meanwhile
      for (const name of printersOf(target)) {
        const shown = printers.find(printer => printer.name === name)
        sight.checks++
        if (shown === undefined) continue // this hub has begun anew, and has not heard of it
        if (shown.connected || !REASON.test(shown.problem?.message ?? '')) {
          sight.wrong.push(`${hub.name} of ${name} at ${target}: ${JSON.stringify(shown)}`)
        }
      }
      const node = nodes.find(one => one.node === target)
      if (node === undefined || !isWayFine(from - MENDED_MS)) continue
      sight.checks++
      const age = (begin - from) / 1000
      const longest = (begin - firstOf(fault, gone)) / 1000
      if (node.reachable || node.seen_s < age - AGE_WITHIN_S || node.seen_s > longest + AGE_WITHIN_S) {
        sight.wrong.push(`${hub.name} of ${target}, gone for ${age.toFixed(1)} s: ${JSON.stringify(node)}`)
      }
    }
  } catch { // it was killed meanwhile
  }
}
