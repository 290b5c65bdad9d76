import type { KV } from '@nats-io/kv'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterRegistry, RemoteHolder } from '../../../core/index.js'
import type { Link } from '../connect.js'
import { placeIn } from '../names.js'
import { checked, PrinterValue } from '../types.js'
import type { Caller } from './caller.js'
import { placeName, type Directory } from './directory.js'
import { configOf, createRemoteSession, type RemoteSession } from './remote-session.js'

export interface PrintersDeps {
  readonly registry: PrinterRegistry
  readonly directory: Directory
  readonly caller: Caller
  readonly link: Link
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Told of the site of every printer that is heard of. */
  readonly onSite: (site: string) => void
}

/** A printer as one node has told of it. */
interface Entry {
  readonly place: string
  value: PrinterValue
  session: RemoteSession | undefined
  /** When its service gave it up, a shared printer that no other holds yet. */
  leftAt?: string
}

/** Longer than a lease lasts after its holder was killed; then the printer is no longer configured anywhere. */
const NEXT_HOLDER_MS = 60_000

/** More than any fleet that one hub can show. */
const MOST_PRINTERS = 20_000

/** As their nodes list them, one node after the other. */
const isListedBefore = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && (a.place === b.place ? (a.value.order ?? 0) < (b.value.order ?? 0) : a.place < b.place)

type Keyed = readonly [key: string, entry: Entry]

/** Of a shared printer the last holder counts; else always the same node, at every hub. */
const comesFirst = ([a, { value: one }]: Keyed, [b, { value: other }]: Keyed): boolean =>
  one.epoch === other.epoch ? a < b : (one.epoch ?? 0) > (other.epoch ?? 0)

/** The printers of all nodes, as sessions of this service. */
export function createPrinters ({ registry, directory, caller, link, now, log, onSite }: PrintersDeps) {
  const entries = new Map<string, Entry>()
  /** Key of the entry that is shown, by the printer's name. */
  const shown = new Map<string, string>()

  function whyNot (place: string): string | undefined {
    if (!link.connected) return 'This hub is cut off from the fleet.'
    const seen = directory.of(place)
    if (seen === undefined) return `The service ${place}, which holds its session, has not been heard.`
    if (seen.reachable) return undefined
    return `The service ${place}, which holds its session, has not been heard since ${new Date(seen.seenAt).toISOString()}.`
  }

  const holderOf = (entry: Entry): RemoteHolder => {
    const { place, value: { name, epoch } } = entry
    return {
      name: place,
      get reachable () { return entry.leftAt === undefined && whyNot(place) === undefined },
      call: (operation, input, options) => caller.call({ place, printer: name, epoch }, operation, input, options)
    }
  }

  const whyLeft = (leftAt: string | undefined) =>
    leftAt === undefined ? undefined : `No service has held its session since ${leftAt}.`

  /** Of one run of a node, its values say nothing about the next. */
  const reasonFor = ({ place, value, leftAt }: Entry): string | undefined => whyLeft(leftAt) ?? whyNot(place) ??
    (directory.of(place)?.run === value.run ? undefined : `The service ${place} has begun anew and has not told of it yet.`)

  function make (entry: Entry): RemoteSession {
    const session = createRemoteSession(entry.value, { holder: holderOf(entry), now, log })
    session.reach(reasonFor(entry))
    entry.session = session
    return session
  }

  async function show (key: string, entry: Entry): Promise<void> {
    const { name } = entry.value
    const before = shown.get(name)
    if (before !== undefined && before !== key) {
      const other = entries.get(before)
      // Two nodes have a printer of this name: always the same one is shown, at every hub.
      if (other !== undefined && comesFirst([before, other], [key, entry])) {
        if (entry.value.epoch === undefined) {
          const places = { shown: other.place, hidden: entry.place }
          log.warn({ printer: name, ...places }, 'two services have a printer of this name')
        }
        return
      }
    }
    shown.set(name, key)
    const { value: { ended = false } } = entry
    if (ended) entry.session = undefined
    await registry.adopt(configOf(entry.value), {
      holder: holderOf(entry),
      make: ended ? undefined : () => make(entry),
      comesBefore: other => isListedBefore(entry, entries.get(shown.get(other) ?? ''))
    })
  }

  async function hide (key: string, entry: Entry): Promise<void> {
    const { name } = entry.value
    if (shown.get(name) !== key) return
    shown.delete(name)
    const others = [...entries].filter(([, { value }]) => value.name === name)
    const [next] = others.sort((a, b) => comesFirst(a, b) ? -1 : 1)
    await (next ? show(...next) : registry.remove(name))
  }

  const isSame = (a: PrinterValue, b: PrinterValue): boolean =>
    a.name === b.name && a.epoch === b.epoch && a.order === b.order &&
    a.ended === b.ended && JSON.stringify(a.config) === JSON.stringify(b.config)

  async function put (key: string, bytes: Uint8Array): Promise<void> {
    const value = checked(PrinterValue, bytes)
    if (value === undefined) return log.warn({ key }, 'a service told something of a printer that is not understood')
    const { site, node } = placeIn(key, 0)
    onSite(site)
    const known = entries.get(key)
    if (known && isSame(known.value, value)) {
      delete known.leftAt
      known.value = value
      known.session?.feed(value)
      known.session?.reach(reasonFor(known))
      return
    }
    if (known && known.value.name !== value.name) await hide(key, known)
    else if (!known && entries.size >= MOST_PRINTERS) return
    const entry = { place: placeName({ site, node }), value, session: undefined }
    entries.set(key, entry)
    await show(key, entry)
  }

  async function drop (key: string): Promise<void> {
    const entry = entries.get(key)
    if (entry !== undefined && isLastOfShared(key, entry)) {
      const leftAt = new Date(now()).toISOString()
      entry.leftAt = leftAt
      entry.session?.reach(reasonFor(entry))
      setTimeout(() => { if (entries.get(key)?.leftAt === leftAt) void dropNow(key) }, NEXT_HOLDER_MS).unref()
      return
    }
    await dropNow(key)
  }

  /** While one service gives a shared printer up and the next one takes it, nobody tells of it. */
  const isLastOfShared = (key: string, { value: { epoch, name } }: Entry): boolean => epoch !== undefined &&
    ![...entries].some(([other, { value }]) => other !== key && value.name === name)

  async function dropNow (key: string): Promise<void> {
    const entry = entries.get(key)
    entries.delete(key)
    if (entry) await hide(key, entry)
  }

  function reachAgain (place?: string): void {
    for (const entry of entries.values()) {
      if (place === undefined || entry.place === place) entry.session?.reach(reasonFor(entry))
    }
  }

  let wasConnected = false
  let loaded = false
  return {
    whyNot,
    reachAgain,
    /** This hub's own connection counts for all. */
    tick (): void {
      if (link.connected !== wasConnected) reachAgain()
      wasConnected = link.connected
    },
    /** Loads what is known, and goes on with what changes. */
    async watch (bucket: KV): Promise<void> {
      const changes = await bucket.watch()
      if ((await bucket.status()).values === 0) loaded = true // nothing comes that would be the last
      for await (const { key, operation, value, delta } of changes) {
        await (operation === 'PUT' ? put(key, value) : drop(key))
          .catch((error: Error) => log.warn({ err: error, key }, 'a printer of the fleet cannot be shown'))
        if (delta === 0) loaded = true
      }
    },
    /** Everything that was there when this hub came has been seen once. */
    get loaded () { return loaded },
    get size () { return shown.size }
  }
}
