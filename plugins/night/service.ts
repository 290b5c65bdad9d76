import { BadInput, type Kernel } from '../../core/index.js'
import type { Messages } from '../notify/index.js'
import { OFF, type Settings } from './settings.js'
import type { NightStore, Since, StoredSettings } from './store.js'
import { clockOf } from './clock.js'

export interface NightServiceDeps {
  readonly kernel: Pick<Kernel, 'optional' | 'printers'>
  readonly store: NightStore
  readonly messages: () => Pick<Messages, 'targets'>
  readonly isQuiet: (settings: Settings) => boolean
  readonly changed: () => void
}

export type Change = { readonly [K in keyof Settings]?: Partial<Settings[K]> | Settings[K] }

function merged (known: Settings, change: Change): Settings {
  return {
    time_zone: change.time_zone === undefined ? known.time_zone : change.time_zone as Settings['time_zone'],
    quiet: { ...known.quiet, ...change.quiet },
    report: { ...known.report, ...change.report },
    watch: { ...known.watch, ...change.watch }
  }
}

/** What people set for the night. */
export class Night {
  readonly #deps: NightServiceDeps
  #settings: Settings = OFF
  #since: Since = { report: 0, watch: 0 }
  #isRead = false
  #asked = 0
  #seen = 0

  constructor (deps: NightServiceDeps) { this.#deps = deps }

  /** As of the last reading. */
  get settings (): Settings { return this.#settings }

  get since (): Since { return this.#since }

  get isRead (): boolean { return this.#isRead }

  isQuietNow (): boolean { return this.#deps.isQuiet(this.#settings) }

  /** @throws the database's errors */
  async read (): Promise<StoredSettings> {
    const turn = ++this.#asked
    const stored = await this.#deps.store.settings()
    this.#take(turn, stored)
    return stored
  }

  acts (most: number): ReturnType<NightStore['acts']> { return this.#deps.store.acts(most) }

  /** Names of the targets of messages, and of the groups of the queue. */
  choices (): { readonly targets: string[], readonly groups: string[], readonly printers: string[] } {
    const { kernel: { optional, printers }, messages } = this.#deps
    return {
      targets: messages().targets().map(({ name }) => name),
      groups: (optional.queue?.groups ?? []).map(({ name }) => name),
      printers: [...printers.names]
    }
  }

  /** @param read revision that the change is of @throws PRN_ERR_BAD_INPUT, PRN_ERR_SETTINGS_CHANGED */
  async change (change: Change, by: string, read?: number): Promise<Settings> {
    const { value: known } = await this.read()
    this.#check(known, change)
    const stored = await this.#deps.store.change(settings => merged(settings, change), by, read)
    this.#take(++this.#asked, stored) // what was asked before this may be older
    this.#deps.changed()
    return stored.value
  }

  #take (turn: number, { value, since }: StoredSettings): void {
    if (turn < this.#seen) return
    this.#seen = turn
    this.#settings = value
    this.#since = since
    this.#isRead = true
  }

  #check (known: Settings, change: Change): void {
    const { targets, groups, printers } = this.choices()
    const timeZone = merged(known, change).time_zone
    // Names that were set stay: without a printer that was removed since, quiet hours of it would be those of all.
    const require = (what: string, names: readonly string[] = [], ...choices: readonly (readonly string[])[]) => {
      const missing = names.find(name => !choices.some(some => some.includes(name)))
      if (missing !== undefined) throw new BadInput(`There is no ${what} '${missing}'`)
    }
    try {
      clockOf(timeZone)
    } catch {
      throw new BadInput(`There is no time zone '${timeZone}'; names are such as 'Europe/Berlin'`)
    }
    require('printer', change.quiet?.printers, printers, known.quiet.printers)
    require('group', change.quiet?.groups, groups, known.quiet.groups)
    require('target of messages', change.report?.targets, targets, known.report.targets)
    require('target of messages', change.watch?.steps, targets, known.watch.steps)
  }
}
