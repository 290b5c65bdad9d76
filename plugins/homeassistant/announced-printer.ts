import type { Events, Kernel, PrinterSession } from '../../core/index.js'
import { componentsOf, discoveryDocument, signatureOf, stateDocument } from './documents.js'
import type { Catalogue, View } from './entities/index.js'
import type { Retained } from './retained.js'
import { idOf, type PrinterTopics, type Topics } from './topics.js'

type Verdict = Events['health:verdict'][1]['verdict']

/**
 * A printer's features appear one by one in its first reports, and Home Assistant ignores new entities in an
 * announcement that arrives while it is still setting up those of the previous one.
 */
const SETTLING_S = 3
/** A feature that comes and goes must not keep the printer from being announced at all. */
const LONGEST_SETTLING_S = 15

export interface AnnouncedPrinterDeps {
  readonly kernel: Kernel
  readonly retained: Retained
  readonly topics: Topics
  readonly catalogue: Catalogue
}

/** Undefined before the first report. */
export const viewOf = (session: PrinterSession, verdict?: Verdict): View | undefined =>
  session.state === undefined ? undefined : { session, state: session.state, verdict }

/** A printer as announced to Home Assistant, after its first report, with the documents that were published last. */
export class AnnouncedPrinter {
  readonly #deps: AnnouncedPrinterDeps
  readonly #session: PrinterSession
  readonly #topics: PrinterTopics
  #verdict: Verdict
  #isChanged = true
  #signature = ''
  /** Both empty at first; the next discovery replaces the announced one after `settling` seconds without a change. */
  #discovery = ''
  #next = ''
  #settling = 0
  /** s since the change that is not announced yet. */
  #unsettled = 0
  #state = ''

  constructor (session: PrinterSession, deps: AnnouncedPrinterDeps) {
    this.#deps = deps
    this.#session = session
    this.#topics = deps.topics.of(idOf(session.config.serial))
  }

  change (): void { this.#isChanged = true }

  /** @param verdict of the print in progress */
  judge (verdict: Verdict): void {
    this.#verdict = verdict
    this.change()
  }

  /** To be called every second. @returns whether the printer is announced */
  publish (): boolean {
    this.#update()
    this.#settle()
    if (this.#discovery === '') return false
    const { retained } = this.#deps
    retained.put(this.#topics.discovery, this.#discovery, 1)
    retained.put(this.#topics.state, this.#state, 0)
    return true
  }

  #settle (): void {
    if (this.#settling === 0) return
    this.#settling--
    this.#unsettled++
    if (this.#settling > 0 && this.#unsettled < LONGEST_SETTLING_S) return
    this.#settling = 0
    this.#unsettled = 0
    this.#discovery = this.#next
  }

  #update (): void {
    const { kernel, catalogue } = this.#deps
    const view = viewOf(this.#session, this.#verdict)
    if (!this.#isChanged || view === undefined) return
    this.#isChanged = false
    const entities = catalogue(view)
    const signature = signatureOf(view, entities)
    if (signature !== this.#signature) this.#announce(signature, view, entities)
    this.#state = kernel.redact(JSON.stringify(stateDocument(view, entities)))
  }

  #announce (signature: string, view: View, entities: ReturnType<Catalogue>): void {
    const { kernel, retained, topics } = this.#deps
    this.#signature = signature
    const before = retained.announce(this.#topics.discovery, componentsOf(entities))
    const discovery = discoveryDocument({ view, entities, topics, version: kernel.version, before })
    this.#next = kernel.redact(JSON.stringify(discovery))
    this.#settling = SETTLING_S
  }
}
