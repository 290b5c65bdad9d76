import { BadInput, createKeyedQueue, validationError, wordsOfFailure, type Kernel } from '../../core/index.js'
import { alertTypes } from './alert-types.js'
import type { Deliveries } from './deliveries.js'
import { NotTaken, NoTarget, QuietFixed, TargetExists, TargetFixed, TargetsFull } from './errors.js'
import { createWallClock } from './hours.js'
import {
  connectionOf, PLACES, unusableTarget, USUAL_ALERTS, type Options, type Rule, type Target
} from './options.js'
import { PUSH } from './push.js'
import type { Sender } from './sender.js'
import type { Setup } from './setup-schemas.js'
import { fileViews, freeName, hasLogin, isTaken, rulesOf, storedView } from './setup-views.js'
import { fieldsOf, secretNamesOf, storableOptions, type OptionValues } from './storable-options.js'
import {
  MOST_TARGETS, type Owner, type Quiet, type StoredTarget, type StoredTargets, type TargetRule
} from './stored-targets.js'
import type { TargetRegistry } from './target-registry.js'
import { readsSecrets } from './targets/read-secrets.js'
import { NotDelivered, type MessageTargetKind, type SendMessage } from './targets/types.js'
import { sendTestTo } from './test-message.js'

/** Characters of all options of a target. */
const MOST_OPTIONS = 16_384
/** Options that, with the address, decide who receives the secrets of a target. */
const RECIPIENTS: readonly string[] = [...PLACES, 'port', 'tls', 'type']

export interface SetupDeps {
  readonly kinds: readonly MessageTargetKind[]
  readonly options: Options
  readonly stored: StoredTargets
  readonly registry: TargetRegistry
  readonly sender: Pick<Sender, 'status' | 'recover' | 'drop'>
  /** When a target accepted a test message. */
  readonly acceptedAt: (name: string) => number | undefined
  readonly deliveries: Pick<Deliveries, 'deliveredAt'>
  /** Whether a target may get messages about a printer; empty for a message about none. */
  readonly mayGet: (name: string, printer: string) => boolean
  /** Called after targets, rules or quiet hours have changed. */
  readonly onChanged: () => void
  readonly kernel: Pick<Kernel, 'maskSecret' | 'redact' | 'now'>
  readonly warn: (message: string) => void
}

/** Options as they are sent: omitted secrets keep their value, and null removes one. */
export interface TargetChange {
  readonly name: string
  readonly type: string
  readonly options: OptionValues
}

/** How a target is added, beside its options. */
export interface Addition {
  /** A name that is in use gets a number, instead of being refused. */
  readonly isNumbered?: boolean
  readonly owner?: Owner | undefined
  readonly addedAt?: number
}

interface Initial { readonly default?: unknown }

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Adds, changes, removes and tests targets while the service runs. */
export class MessageSetup {
  readonly #deps: SetupDeps
  readonly #queue = createKeyedQueue()

  constructor (deps: SetupDeps) {
    this.#deps = deps
  }

  /** Opens the stored targets. One that cannot be used is shown with its problem, and does not stop the start. */
  async open (): Promise<void> {
    const { stored, options, registry, warn } = this.#deps
    for (const { name, type, options: open } of stored.list()) {
      if (Object.hasOwn(options.targets, name)) {
        warn(`the target '${name}' was added in the browser, and is in the configuration file too; that one is used`)
        continue
      }
      const target = await this.#create({ name, type, options: { ...open, ...stored.secretsOf(name) } })
        .catch((error: Error) => unusableTarget(name, type, error.message))
      registry.put(target, connectionOf(name, type, { ...open, ...stored.secretsOf(name) }))
    }
  }

  /** Rules of the stored targets that are in use. */
  rules (): Rule[] { return this.#list().flatMap(rulesOf) }

  /** The quiet hours: those of the configuration file, else those that were set in the browser. */
  quiet (): Quiet & { readonly origin: 'file' | 'stored' } {
    const { options: { quiet, timeZone }, stored } = this.#deps
    if (quiet !== undefined) return { quiet, timeZone, origin: 'file' }
    const own = stored.quiet()
    return { quiet: own.quiet, timeZone: timeZone ?? own.timeZone, origin: 'stored' }
  }

  async read (): Promise<Setup> {
    const { kinds, deliveries, options, stored } = this.#deps
    const delivered = await deliveries.deliveredAt().catch(() => new Map<string, number>())
    const { quiet, timeZone, origin } = this.quiet()
    const own = this.#list().map(target => storedView(target, stored.secretsOf(target.name)))
    return {
      targets: [...fileViews(options), ...own].map(target => {
        const { waiting, problem = null } = this.#deps.sender.status(target.name)
        const accepted = Math.max(delivered.get(target.name) ?? 0, this.#deps.acceptedAt(target.name) ?? 0)
        return { ...target, waiting, problem, accepted_at: accepted || null }
      }),
      kinds: kinds.map(kind => ({
        type: kind.type,
        picture: kind.takes?.picture !== undefined,
        clip: kind.takes?.clip !== undefined,
        fields: kind.type === PUSH ? [] : fieldsOf(kind) // only a browser can fill these in
      })),
      alerts: alertTypes(),
      usual: [...USUAL_ALERTS],
      quiet: { hours: quiet ?? null, timeZone: timeZone ?? null, origin }
    }
  }

  /** @returns its name @throws PRN_ERR_TARGET_EXISTS, PRN_ERR_TARGETS_FULL, PRN_ERR_BAD_INPUT */
  add (change: TargetChange, rule: TargetRule, { isNumbered = false, ...more }: Addition = {}): Promise<string> {
    return this.#queue.run('', async () => {
      const { registry: { targets } } = this.#deps
      const name = isNumbered ? freeName(change.name, targets) : change.name
      if (isTaken(name, targets)) throw new TargetExists(name)
      if (targets.size >= MOST_TARGETS) throw new TargetsFull(targets.size)
      await this.#save({ ...change, name }, rule, more)
      return name
    })
  }

  /** @throws PRN_ERR_NO_SUCH_TARGET, PRN_ERR_TARGET_FIXED, PRN_ERR_BAD_INPUT */
  change (name: string, options: OptionValues | undefined, rule: TargetRule | undefined): Promise<void> {
    return this.#queue.run('', async () => {
      const known = this.#known(name)
      const { type, owner, addedAt } = known
      await this.#save({ name, type, options: options ?? known.options }, rule ?? known.rule, {
        owner, ...(addedAt !== undefined && { addedAt })
      })
    })
  }

  /** @throws PRN_ERR_NO_SUCH_TARGET, PRN_ERR_TARGET_FIXED */
  remove (name: string): Promise<void> {
    return this.#queue.run('', async () => {
      const { stored, registry, sender, onChanged } = this.#deps
      this.#known(name)
      await stored.remove(name)
      registry.remove(name)
      onChanged()
      sender.drop(name)
      sender.recover(name)
    })
  }

  /** Sends a test message without storing anything. @throws PRN_ERR_MESSAGE_NOT_TAKEN, PRN_ERR_BAD_INPUT */
  async try (change: TargetChange, signal: AbortSignal): Promise<void> {
    const { now, redact } = this.#deps.kernel
    const target = await this.#create({ ...change, options: this.#completed(change) })
    await sendTestTo(target, now(), signal).catch((error: unknown) => {
      throw new NotTaken(change.name, redact(wordsOfFailure(error)))
    })
  }

  /** @param quiet undefined for none @throws PRN_ERR_QUIET_HOURS_FIXED, PRN_ERR_BAD_INPUT */
  async setQuiet (quiet: string | undefined, timeZone: string | undefined): Promise<void> {
    const { stored, onChanged } = this.#deps
    if (this.quiet().origin === 'file') throw new QuietFixed()
    try {
      createWallClock(timeZone)
    } catch {
      throw new BadInput(`there is no time zone '${timeZone}'; names are such as 'Europe/Berlin'`)
    }
    await stored.setQuiet({ quiet, timeZone })
    onChanged()
  }

  async #save (change: TargetChange, rule: TargetRule, { owner, addedAt }: Addition): Promise<void> {
    const { name, type } = change
    const { stored, registry, sender, onChanged } = this.#deps
    const kind = this.#kindOf(type)
    const options = this.#completed(change)
    const target = await this.#create({ name, type, options })
    const isSecret = secretNamesOf(kind)
    const part = (secret: boolean) =>
      Object.fromEntries(Object.entries(options).filter(([key]) => isSecret.has(key) === secret))
    await stored.save({
      name, type, options: part(false), rule, ...(owner && { owner }), ...(addedAt !== undefined && { addedAt })
    }, part(true))
    registry.put(target, connectionOf(name, type, options))
    sender.recover(name)
    onChanged()
  }

  /**
   * The options with the stored secrets that were omitted. They are only completed for the address that they were
   * stored for: otherwise a changed address would receive them.
   */
  #completed ({ name, type, options }: TargetChange): OptionValues {
    const { stored } = this.#deps
    const before = stored.find(name)
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
    if (before === undefined) return given
    const secrets = Object.entries(stored.secretsOf(name)).filter(([key]) => !Object.hasOwn(options, key))
    const [first] = secrets.map(([key]) => key)
    const old = { ...this.#withDefaults(type, before.options), ...stored.secretsOf(name), type: before.type }
    const next: OptionValues = { ...this.#withDefaults(type, given), ...Object.fromEntries(secrets), type }
    if (first !== undefined && RECIPIENTS.some(key => !same((old as OptionValues)[key], next[key]))) {
      throw new BadInput(`${first} must be given again, because the address has changed`)
    }
    return { ...given, ...Object.fromEntries(secrets) }
  }

  #withDefaults (type: string, options: OptionValues): OptionValues {
    const { properties = {} } = storableOptions(this.#kindOf(type)) as { properties?: Record<string, Initial> }
    const initial = Object.entries(properties).filter(([, schema]) => schema.default !== undefined)
    return { ...Object.fromEntries(initial.map(([key, schema]) => [key, schema.default])), ...options }
  }

  async #create ({ name, type, options }: TargetChange): Promise<Target> {
    const { kernel: { maskSecret, now } } = this.#deps
    const kind = this.#kindOf(type)
    if (JSON.stringify(options).length > MOST_OPTIONS) throw new BadInput('the options are too long')
    const own = structuredClone(options) as Record<string, unknown>
    const problem = validationError(storableOptions(kind), own)
    if (problem !== undefined) throw new BadInput(problem)
    const isSecret = secretNamesOf(kind)
    const open = Object.entries(own).find(([key, value]) => !isSecret.has(key) && hasLogin(value))
    if (open !== undefined) throw new BadInput(`${open[0]} must be an address without a login`)
    const where = name
    try {
      const send = await kind.create(own as never, { ...readsSecrets(where, maskSecret), where, now })
      return { name, type, send: this.#guarded(name, send), takes: kind.takes ?? {} }
    } catch (error) {
      throw new BadInput((error as Error).message.replace(`${where}.`, '').replace(`${where}: `, ''))
    }
  }

  /**
   * Checks once more who may get it: rights may have changed while it waited. A device that is gone stays, with that as
   * its problem: its owner goes on relying on it, and its browser may still register it again.
   */
  #guarded (name: string, send: SendMessage): SendMessage {
    return async (message, signal) => {
      if (!this.#deps.mayGet(name, message.printer)) {
        throw new NotDelivered('its user may not see this printer any more', { final: true })
      }
      await send(message, signal)
    }
  }

  #kindOf (type: string): MessageTargetKind {
    const kind = this.#deps.kinds.find(one => one.type === type)
    if (kind === undefined) throw new BadInput(`there is no kind of target '${type}'`)
    return kind
  }

  #list (): StoredTarget[] {
    const { stored, options: { targets } } = this.#deps
    return stored.list().filter(({ name }) => !Object.hasOwn(targets, name))
  }

  #known (name: string): StoredTarget {
    const { stored, options: { targets }, registry } = this.#deps
    if (Object.hasOwn(targets, name)) throw new TargetFixed(name)
    const known = stored.find(name)
    if (known === undefined) throw new NoTarget(name, [...registry.targets.keys()].join(', ') || 'none')
    return known
  }
}
