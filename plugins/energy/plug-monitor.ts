import { wordsOfFailure } from '../../core/index.js'
import type { Reading } from './decode/reading.js'
import { HTTP_KINDS, type PlugKind } from './kinds.data.js'
import { openLink, type PlugAddress, type PlugBroker, type PlugLink } from './link/plug-link.js'

/** What is known of a plug now. */
export interface PlugState {
  /** Undefined until it said so. */
  readonly isOn: boolean | undefined
  readonly watts: number | undefined
  /** When it was heard last, ms since the epoch; undefined if never. */
  readonly at: number | undefined
  /** When it said whether it is on. */
  readonly saidAt: number | undefined
  /** Why it cannot be asked; empty without a problem. */
  readonly problem: string
}

export interface PlugMonitorDeps {
  readonly broker: () => PlugBroker | undefined
  readonly now: () => number
  readonly redact: (text: string) => string
  readonly signal: AbortSignal
  readonly changed: (reading: Reading) => void
}

interface Awaited {
  /** What `said` was before the command. */
  readonly after: number
  readonly withinMs: number
  readonly signal: AbortSignal
}

const HTTP_EVERY_MS = 15_000
const BROKER_EVERY_MS = 60_000
/** Questions without an answer that may be chance. */
const LOST_AFTER = 3
/** Those that need not answer are lost after this time without a word, unless their broker vouches for them, ms. */
const QUIET_MS = 900_000
const QUIET_KINDS: ReadonlySet<PlugKind> = new Set(['esphome', 'homeassistant'])
const LONGEST_PROBLEM = 200
/** How long a reported power counts as the present one. */
const PRESENT_MS = 300_000

const NOTHING: PlugState = { isOn: undefined, watts: undefined, at: undefined, saidAt: undefined, problem: '' }

/** Follows one plug: asks it at intervals, and keeps what it says. */
export class PlugMonitor {
  readonly #deps: PlugMonitorDeps
  readonly #link: PlugLink
  readonly #everyMs: number
  readonly #waiting = new Set<() => void>()
  #state = NOTHING
  readonly #mayBeQuiet: boolean
  /** By its own word, or by that of its broker. */
  #isOnline: boolean | undefined
  /** Its broker says that it is there, and will say when it is gone. */
  #isVouched = false
  /** When it was opened, or could be heard again. */
  #since: number
  #said = 0
  /** Questions since it was heard last. */
  #unanswered = 0
  #askedAt = -Infinity
  #asking: Promise<void> | undefined

  constructor (address: PlugAddress, deps: PlugMonitorDeps) {
    this.#deps = deps
    this.#mayBeQuiet = QUIET_KINDS.has(address.kind)
    this.#since = deps.now()
    this.#everyMs = HTTP_KINDS.has(address.kind) ? HTTP_EVERY_MS : BROKER_EVERY_MS
    this.#link = openLink(address, { broker: deps.broker, heard: (reading, isFresh) => this.#heard(reading, isFresh) })
  }

  get state (): PlugState {
    const { at } = this.#state
    const isOld = at === undefined || this.#deps.now() - at > PRESENT_MS
    return isOld ? { ...this.#state, watts: undefined } : this.#state
  }

  /** It does not answer, or its broker says that it is gone. */
  get isLost (): boolean {
    if (this.#isOnline === false || this.#unanswered > LOST_AFTER) return true
    const heardAt = Math.max(this.#since, this.#state.at ?? 0)
    return this.#mayBeQuiet && !this.#isVouched && this.#deps.now() - heardAt > QUIET_MS
  }

  /** Whether it said recently that it is on, or off; undefined if that is not known now. */
  get isOn (): boolean | undefined { return this.isLost ? undefined : this.#state.isOn }

  askIfDue (): void {
    if (this.#deps.now() - this.#askedAt >= this.#everyMs) void this.ask()
  }

  /** Asks once; never rejects. */
  async ask (): Promise<void> {
    this.#askedAt = this.#deps.now()
    this.#asking ??= this.#ask().finally(() => { this.#asking = undefined })
    await this.#asking
  }

  /**
   * @param before called right before each request that can switch
   * @throws Error with words for people if the command cannot be sent, and what `before` throws
   */
  async turn (on: boolean, signal: AbortSignal, before: () => void): Promise<void> {
    await this.#link.turn(on, signal, before)
  }

  /** How often it has said whether it is on: an earlier number tells a later word from one before. */
  get said (): number { return this.#said }

  /** Waits until the plug itself says so. */
  says (on: boolean, { after, withinMs, signal }: Awaited): Promise<boolean> {
    return new Promise<boolean>(resolve => {
      const askAgain = setInterval(() => { void this.ask() }, Math.max(20, withinMs / 8))
      const timers = [setTimeout(() => end(false), withinMs), askAgain]
      const look = (): void => { if (this.#state.isOn === on && this.#said > after) end(true) }
      const stop = (): void => end(false)
      const end = (found: boolean): void => {
        for (const timer of timers) clearTimeout(timer)
        this.#waiting.delete(look)
        signal.removeEventListener('abort', stop)
        resolve(found)
      }
      this.#waiting.add(look)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) return end(false)
      look()
      void this.ask()
    })
  }

  close (): void { this.#link.close() }

  #heard (reading: Reading, isFresh: boolean): void {
    const { isOnline, isOn, watts } = reading
    if (isOnline !== undefined) this.#isOnline = this.#isVouched = isOnline
    else if (isFresh) this.#isOnline = true
    const now = this.#deps.now()
    const isAnswer = isFresh && isOnline === undefined
    if (isAnswer) this.#unanswered = 0
    if (isAnswer && isOn !== undefined) this.#said++
    this.#state = {
      isOn: isOn ?? this.#state.isOn,
      watts: isAnswer ? watts ?? (isOn === false ? 0 : this.#state.watts) : this.#state.watts,
      at: isAnswer ? now : this.#state.at,
      saidAt: isAnswer && isOn !== undefined ? now : this.#state.saidAt,
      problem: isAnswer ? '' : this.#state.problem
    }
    if (isAnswer) this.#deps.changed(reading)
    for (const look of [...this.#waiting]) look()
  }

  async #ask (): Promise<void> {
    const { signal, redact, now } = this.#deps
    if (!this.#mayBeQuiet) this.#unanswered++
    try {
      await this.#link.ask(signal)
      if (!this.#mayBeQuiet) return
      if (this.#unanswered > 0) this.#since = now()
      this.#unanswered = 0 // it can be heard again
    } catch (error) {
      if (signal.aborted) return
      if (this.#mayBeQuiet) {
        this.#unanswered++
        this.#isVouched = false // after a new connection its broker says so again
      }
      const problem = redact(wordsOfFailure(error)).slice(0, LONGEST_PROBLEM)
      this.#state = { ...this.#state, problem }
    }
  }
}
