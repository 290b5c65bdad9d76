import type { KV } from '@nats-io/kv'
import type { FastifyBaseLogger } from 'fastify'
import { NotConnected, type PrinterRegistry, type RemoteHolder } from '../../../core/index.js'
import type { Link } from '../link.js'
import { placeIn, type Names } from '../names.js'
import { rateLimited } from '../rate-limited.js'
import { verifyMessage } from '../signed-message.js'
import { checked, isSamePrinter, PrinterGone, PrinterValue } from '../types.js'
import { goneSubject } from '../encoding.js'
import type { Caller } from './caller.js'
import { placeName, type Directory } from './directory.js'
import { nameKey, type DisplayNames } from './display-names.js'
import type { NodeKeys } from './node-keys.js'
import { configOf, createRemoteSession, type RemoteSession } from './remote-session.js'

export interface PrintersDeps {
  readonly registry: PrinterRegistry
  readonly names: Names
  readonly directory: Directory
  readonly keys: Pick<NodeKeys, 'mayBe'>
  readonly displayNames: DisplayNames
  readonly caller: Caller
  readonly link: Link
  /** Public key of this hub. */
  readonly publicKey: string
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Called with the site of every published printer. */
  readonly onSite: (site: string) => void
}

/** A printer as published and signed by one node. */
interface Entry {
  readonly key: string
  readonly site: string
  readonly place: string
  readonly publicKey: string
  value: PrinterValue
  session: RemoteSession | undefined
  /** Display name at this hub; undefined while it is not shown. */
  display: string | undefined
  /** When the holder of a shared printer gave it up, while no other holds it. */
  leftAt?: string
}

/** Longer than a lease lasts after its holder was killed; after that the printer counts as removed. */
const NEXT_HOLDER_MS = 60_000

/** More than any fleet that one hub can show. */
const MOST_PRINTERS = 20_000
/** Limits the printers that one site can claim, so that others have room. */
const MOST_OF_SITE = 5_000

/** Order of the list: by node, then as the node lists them. */
const isListedBefore = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && (a.place === b.place ? (a.value.order ?? 0) < (b.value.order ?? 0) : a.place < b.place)

/** The owner of the printer: its site if it is shared, else its node. */
const claimantOf = ({ site, place, value: { epoch } }: Entry): string => epoch === undefined ? place : site

/** For a shared printer the last holder comes first. */
const comesFirst = ({ value: one, key: a }: Entry, { value: other, key: b }: Entry): number =>
  (other.epoch ?? 0) - (one.epoch ?? 0) || (a < b ? -1 : 1)

/** The printers of all nodes, as sessions of this service. */
export function createPrinters (deps: PrintersDeps) {
  const { registry, names, directory, keys, displayNames, caller, link, now, log } = deps
  const unproven = rateLimited((fields: object) => log.warn(fields,
    'the value of a printer is not signed by its node and was ignored; a node of an older version must be updated'))
  const entries = new Map<string, Entry>()
  /** By `nameKey` of the printer's own name. */
  const claims = new Map<string, Set<Entry>>()
  /** By display name. */
  const shown = new Map<string, Entry>()
  /** Display names by `nameKey` of the printer's own name. */
  const displays = new Map<string, readonly string[]>()
  const ofSite = new Map<string, number>()
  let loaded = false
  let turn: Promise<void> = Promise.resolve()

  /** Changes to the shown printers run one after the other. */
  function inTurn (work: () => Promise<void>): Promise<void> {
    turn = turn.then(work, work)
    return turn
  }

  function whyNot (place: string): string | undefined {
    if (!link.connected) return 'This hub is cut off from the fleet.'
    const seen = directory.of(place)
    if (seen === undefined) return `The service ${place}, which holds its session, has not been heard yet.`
    if (seen.reachable) return undefined
    return `The service ${place}, which holds its session, has not been heard since ${new Date(seen.seenAt).toISOString()}.`
  }

  /** A node may be reachable and still not accept calls. */
  function whyNotAsk (place: string): string | undefined {
    const why = whyNot(place)
    if (why !== undefined || directory.of(place)?.hubs.includes(deps.publicKey)) return why
    return `The service ${place} does not take calls of this hub: write the hub's key, ${deps.publicKey}, into ` +
      'plugins.fleet.hubKeys of its configuration.'
  }

  const holderOf = (entry: Entry, display: string): RemoteHolder => {
    const { place, value: { name, epoch } } = entry
    return {
      name: place,
      get reachable () { return entry.leftAt === undefined && whyNotAsk(place) === undefined },
      call: (operation, input, options) => entry.leftAt === undefined
        ? caller.call({ place, printer: name, shown: display, epoch }, operation, input, options)
        : Promise.reject(new NotConnected(display).with({ detail: reasonFor(entry) }))
    }
  }

  /** Values of one run of a node are not valid for the next. */
  const reasonFor = ({ place, value, leftAt }: Entry): string | undefined =>
    (leftAt && `No service has held its session since ${leftAt}.`) ?? whyNot(place) ??
    (directory.of(place)?.run === value.run ? undefined : `The service ${place} has restarted and has not reported it yet.`)

  function make (entry: Entry, display: string): RemoteSession {
    const session = createRemoteSession(entry.value, { name: display, holder: holderOf(entry, display), now, log })
    session.reach(reasonFor(entry))
    entry.session = session
    return session
  }

  async function show (entry: Entry, display: string): Promise<void> {
    shown.set(display, entry)
    const { value: { ended = false } } = entry
    if (ended) entry.session = undefined
    await registry.adopt(configOf(entry.value, display), {
      holder: holderOf(entry, display),
      make: ended ? undefined : () => make(entry, display),
      comesBefore: other => isListedBefore(entry, shown.get(other))
    })
  }

  async function unshow (display: string): Promise<void> {
    shown.delete(display)
    await registry.remove(display)
  }

  /** Decides which printers of one name are shown, by display name. */
  function wantedOf (claiming: readonly Entry[]): Map<string, Entry> {
    const byClaimant = new Map<string, Entry>()
    for (const entry of claiming.toSorted(comesFirst)) {
      if (!byClaimant.has(claimantOf(entry))) byClaimant.set(claimantOf(entry), entry)
    }
    const called = displayNames.assign([...byClaimant].map(([claimant, { value: { name } }]) => ({ claimant, name })))
    const wanted = new Map<string, Entry>()
    for (const [claimant, entry] of byClaimant) {
      const name = called.get(claimant) ?? entry.value.name
      let display = name
      for (let count = 2; wanted.has(display) || isTaken(display, entry); count++) display = `${name.slice(0, 60)}~${count}`
      wanted.set(display, entry)
    }
    return wanted
  }

  /** Whether a printer of another name is shown under this name. */
  function isTaken (display: string, { value: { name } }: Entry): boolean {
    const other = shown.get(display)
    return other !== undefined && nameKey(other.value.name) !== nameKey(name)
  }

  async function settle (claimKey: string): Promise<void> {
    const claiming = [...claims.get(claimKey) ?? []]
    const wanted = wantedOf(claiming)
    const before = displays.get(claimKey) ?? []
    displays.set(claimKey, [...wanted.keys()])
    if (wanted.size === 0) displays.delete(claimKey)
    for (const entry of claiming) entry.display = undefined
    for (const [display, entry] of wanted) entry.display = display
    for (const display of before) if (!wanted.has(display)) await unshow(display)
    for (const [display, entry] of wanted) if (shown.get(display) !== entry) await show(entry, display)
  }

  function claim (entry: Entry): string {
    const claimKey = nameKey(entry.value.name)
    const claiming = claims.get(claimKey) ?? new Set()
    claims.set(claimKey, claiming.add(entry))
    return claimKey
  }

  function unclaim (entry: Entry): string {
    const claimKey = nameKey(entry.value.name)
    claims.get(claimKey)?.delete(entry)
    if (claims.get(claimKey)?.size === 0) claims.delete(claimKey)
    return claimKey
  }

  const hasRoom = (site: string): boolean => entries.size < MOST_PRINTERS && (ofSite.get(site) ?? 0) < MOST_OF_SITE

  async function put (key: string, bytes: Uint8Array): Promise<void> {
    const { site, node } = placeIn(key, 0)
    const place = placeName({ site, node })
    const verified = verifyMessage(bytes, names.stateSubject(key), publicKey => keys.mayBe(place, publicKey))
    if (verified === undefined) return unproven({ key })
    const value = checked(PrinterValue, verified.content)
    if (value === undefined) return log.warn({ key }, 'a service published a printer value that cannot be read')
    deps.onSite(site)
    const known = entries.get(key)
    if (known && known.value.run === value.run && value.number < known.value.number) return // a replayed value
    if (known && known.publicKey === verified.publicKey && isSamePrinter(known.value, value)) {
      delete known.leftAt
      known.value = value
      known.session?.feed(value)
      known.session?.reach(reasonFor(known))
      return
    }
    if (!known && !hasRoom(site)) return
    if (!known) ofSite.set(site, (ofSite.get(site) ?? 0) + 1)
    const entry = { key, site, place, publicKey: verified.publicKey, value, session: undefined, display: undefined }
    entries.set(key, entry)
    const changed = new Set([...known ? [unclaim(known)] : [], claim(entry)])
    if (loaded) for (const claimKey of changed) await settle(claimKey)
  }

  async function drop (entry: Entry): Promise<void> {
    if (!entries.delete(entry.key)) return
    ofSite.set(entry.site, (ofSite.get(entry.site) ?? 1) - 1)
    const claimKey = unclaim(entry)
    if (loaded) await settle(claimKey)
  }

  /** A shared printer stays listed for a while without a holder, until the next one takes it. */
  async function leave (entry: Entry): Promise<void> {
    const others = [...claims.get(nameKey(entry.value.name)) ?? []].filter(other => other !== entry)
    const isShared = entry.value.epoch !== undefined
    if (!isShared || others.some(other => claimantOf(other) === entry.site)) return await drop(entry)
    const leftAt = new Date(now()).toISOString()
    entry.leftAt = leftAt
    entry.session?.reach(reasonFor(entry))
    setTimeout(() => { if (entry.leftAt === leftAt) void inTurn(() => drop(entry)) }, NEXT_HOLDER_MS).unref()
  }

  /** A node reports that it no longer has a printer. Removals by anyone else are ignored. */
  async function take (key: string, bytes: Uint8Array): Promise<void> {
    const entry = entries.get(key)
    if (entry === undefined) return
    const subject = goneSubject(names.stateSubject(key))
    const verified = verifyMessage(bytes, subject, publicKey => publicKey === entry.publicKey)
    const gone = verified && checked(PrinterGone, verified.content)
    const isOld = gone?.run === entry.value.run && gone.number < entry.value.number
    if (gone && !isOld) await leave(entry)
  }

  /** Printers of the same name are named together, so that none of them comes first by chance. */
  async function showAll (): Promise<void> {
    if (loaded) return
    loaded = true
    if (claims.size > 0) displayNames.release(new Set(claims.keys()))
    for (const claimKey of claims.keys()) {
      await settle(claimKey).catch((error: Error) => log.warn({ err: error, claimKey }, CANNOT_SHOW))
    }
  }

  function reachAgain (place?: string): void {
    for (const entry of entries.values()) {
      if (place === undefined || entry.place === place) entry.session?.reach(reasonFor(entry))
    }
  }

  let wasConnected = false
  return {
    whyNot,
    whyNotAsk,
    reachAgain,
    /** After the key of a node was pinned, drops the values signed with another key. */
    recheck (place: string): void {
      const wrong = [...entries.values()].filter(entry => entry.place === place && !keys.mayBe(place, entry.publicKey))
      for (const entry of wrong) {
        inTurn(() => drop(entry)).catch((error: Error) => log.warn({ err: error, key: entry.key }, CANNOT_SHOW))
      }
    },
    /** Display name of a node's printer. */
    nameOf (place: string, printer: string): string {
      const [site = '', node = ''] = place.split('/')
      return entries.get(names.key(site, node, printer))?.display ?? displayNames.nameOf(printer, [place, site])
    },
    /** Without a connection of this hub, no printer is reachable. */
    tick (): void {
      if (link.connected !== wasConnected) reachAgain()
      wasConnected = link.connected
    },
    /** Loads the current values, then follows changes. */
    async watch (bucket: KV): Promise<void> {
      const changes = await bucket.watch()
      if ((await bucket.status()).values === 0) await inTurn(showAll) // without values there is no last one
      for await (const { key, operation, value, delta } of changes) {
        await inTurn(() => operation === 'PUT' ? put(key, value) : take(key, value))
          .catch((error: Error) => log.warn({ err: error, key }, CANNOT_SHOW))
        if (delta === 0) await inTurn(showAll)
      }
    },
    /** All values that existed when this hub started have been read. */
    get loaded () { return loaded }
  }
}

const CANNOT_SHOW = 'a printer of the fleet cannot be shown'
