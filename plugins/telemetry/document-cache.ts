import type { HealthRecord } from './health-history.js'

/** What the documents of a printer are made from. */
export interface Source {
  /** Of the recorder. */
  readonly version: number
  /** The newest record of the job monitor. */
  readonly verdict: HealthRecord | undefined
}

interface CachedDocuments extends Source { readonly documents: Map<string, object> }

/** Most printers with cached documents: an hour is a megabyte, and a silent printer never invalidates its own. */
const MOST_CACHED = 16

/** Documents of the printers that were asked for last, until something new is recorded. */
export class DocumentCache {
  readonly #cached = new Map<string, CachedDocuments>()

  /** @param make called unless the document was made from the same source before */
  once<T extends object> (printer: string, name: string, source: Source, make: () => T): T {
    const { documents } = this.#of(printer, source)
    const document = documents.get(name) ?? make()
    documents.set(name, document)
    return document as T
  }

  forget (printer: string): void { this.#cached.delete(printer) }

  #of (printer: string, { version, verdict }: Source): CachedDocuments {
    const known = this.#cached.get(printer)
    if (known?.version === version && known.verdict === verdict) return known
    const made = { version, verdict, documents: new Map() }
    this.#cached.delete(printer)
    this.#cached.set(printer, made)
    const [oldest] = this.#cached.keys()
    if (this.#cached.size > MOST_CACHED && oldest !== undefined) this.#cached.delete(oldest)
    return made
  }
}
