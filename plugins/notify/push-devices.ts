import { isUser, rightsOf, TrustedOnly, type Caller, type Rights } from '../../core/index.js'
import { NoTarget, TargetsFull } from './errors.js'
import type { MessageSetup } from './message-setup.js'
import { DEVICE_GONE, PUSH, type VapidKeys } from './push.js'
import type { Owner, StoredTarget, StoredTargets, TargetRule } from './stored-targets.js'

const MOST_OF_ONE = 10

export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string, readonly auth: string }
}

export interface PushDevicesDeps {
  readonly setup: MessageSetup
  readonly stored: StoredTargets
  readonly vapid: () => Promise<VapidKeys>
  /** Current rights by their id; undefined without users. */
  readonly people: () => { rightsOf (id: string): Rights | undefined } | undefined
  readonly now: () => number
  /** Why the last message to a target was not accepted. */
  readonly problemOf: (name: string) => string | undefined
}

/** Who calls, and whether that is somebody who may change all targets. */
export interface Asker { readonly caller: Caller | undefined, readonly trusted: boolean }

/** Whether somebody may change all devices: those with some printers only would hear of the others. */
const mayAll = ({ caller, trusted }: Asker): boolean => trusted && rightsOf(caller)?.printers === undefined

/** Browsers that get messages by Web Push. Each belongs to a user, where there are users, and ends with the user. */
export class PushDevices {
  readonly #deps: PushDevicesDeps

  constructor (deps: PushDevicesDeps) {
    this.#deps = deps
  }

  async publicKey (): Promise<string> { return (await this.#deps.vapid()).publicKey }

  /** Without an owner, only trusted callers: otherwise a neighbour could make the service call a push service. */
  mayAdd (asker: Asker): boolean { return this.#ownerOf(asker) !== undefined || mayAll(asker) }

  /** The devices of the caller. */
  list (asker: Asker): StoredTarget[] {
    const owner = this.#ownerOf(asker)
    if (owner === undefined && !mayAll(asker)) return []
    return this.#all().filter(target => target.owner?.id === owner?.id)
  }

  /**
   * @param replaces the endpoint that the browser had before: the device keeps its name and rule
   * @returns its name, with a number if there is one of that name
   * @throws PRN_ERR_TARGETS_FULL, PRN_ERR_TRUSTED_ONLY, PRN_ERR_NO_SUCH_TARGET for a device that was removed meanwhile
   */
  async add (
    asker: Asker, name: string, { endpoint, keys }: Subscription, rule: TargetRule, replaces?: string
  ): Promise<string> {
    const { setup, stored, now } = this.#deps
    if (!this.mayAdd(asker)) throw new TrustedOnly('notify.addDevice')
    const owner = this.#ownerOf(asker)
    const devices = this.#all().map(target => ({ target, endpoint: stored.secretsOf(target.name).endpoint }))
    // A browser has one subscription: whoever registers it last uses that browser.
    const before = devices.find(one => one.endpoint === endpoint)?.target
    if (replaces !== undefined) {
      const own = before ?? devices.find(one => one.endpoint === replaces)?.target
      if (own === undefined || own.owner?.id !== owner?.id) throw new NoTarget(name, 'none of that endpoint')
      await setup.change(own.name, { endpoint, ...keys }, own.rule)
      return own.name
    }
    const others = this.#all().filter(target => target.owner?.id === owner?.id && target !== before)
    if (others.length >= MOST_OF_ONE) await this.#makeRoom(others)
    if (before !== undefined) await setup.remove(before.name)
    return await setup.add({ name, type: PUSH, options: { endpoint, ...keys } }, rule, {
      isNumbered: true, owner, addedAt: now()
    })
  }

  /** The caller's own device, or any for those who may change all targets. @throws PRN_ERR_NO_SUCH_TARGET */
  find (asker: Asker, name: string): StoredTarget {
    const found = this.#all().find(target => target.name === name)
    const own = this.list(asker)
    if (found !== undefined && (mayAll(asker) || own.includes(found))) return found
    throw new NoTarget(name, own.map(target => target.name).join(', ') || 'none')
  }

  /** Whether a message about a printer may be sent: users only get those of printers that they may see. */
  mayGet (name: string, printer: string): boolean {
    const { stored, people } = this.#deps
    const { owner } = stored.find(name) ?? {}
    if (owner === undefined) return true
    const printers = people()?.rightsOf(owner.id)?.printers
    return isUser(owner, people()) && (printer === '' || (printers?.has(printer) ?? true))
  }

  /** Removes devices of former users, and those of keys of earlier versions. Call only while all users are known. */
  async review (): Promise<void> {
    const { setup, people } = this.#deps
    for (const { name, owner } of this.#all()) {
      if (owner !== undefined && !isUser(owner, people())) await setup.remove(name)
    }
  }

  /** A browser that was set up anew is another device to us: of those that get nothing any more the oldest goes. */
  async #makeRoom (devices: readonly StoredTarget[]): Promise<void> {
    const { setup, problemOf } = this.#deps
    const [oldest] = devices.filter(({ name }) => problemOf(name)?.includes(DEVICE_GONE) === true)
      .toSorted((one, other) => (one.addedAt ?? 0) - (other.addedAt ?? 0))
    if (oldest === undefined) throw new TargetsFull(devices.length)
    await setup.remove(oldest.name)
  }

  /** Only users have devices: keys and grants end, also those of a user, and their devices would not end with them. */
  #ownerOf ({ caller }: Asker): Owner | undefined {
    const rights = rightsOf(caller)
    if (rights?.id === undefined || !isUser(rights, this.#deps.people())) return undefined
    return { id: rights.id, name: rights.name }
  }

  #all (): StoredTarget[] { return this.#deps.stored.list().filter(({ type }) => type === PUSH) }
}
