import type { PrinterSession } from '../../core/index.js'
import { filamentsOf } from './filament.js'
import type { ProjectFacts } from './project-facts.js'
import type { Print } from './types.js'

/** Reads the project of a print; undefined while it cannot be read. */
export type Learn = (session: PrinterSession, print: string) => Promise<ProjectFacts | undefined>

/** Reads the project of each print once, in the background. */
export class ProjectLookups {
  /** Ids of prints whose project is being read or was read. */
  readonly #begun = new Set<string>()
  readonly #learn: Learn

  constructor (learn: Learn) { this.#learn = learn }

  /** @returns undefined if it was read before, is being read, or cannot be read now */
  async read (print: Print, session: PrinterSession): Promise<ProjectFacts | undefined> {
    if (print.projectPath !== '' || this.#begun.has(print.id)) return undefined
    this.#begun.add(print.id)
    const facts = await this.#learn(session, print.id)
    if (facts === undefined) this.#begun.delete(print.id)
    return facts
  }
}

/** The print with the facts from its project. */
export function withProject (print: Print, { thumbnail: _, plate = -1, ...facts }: ProjectFacts): Print {
  const job = print.job.plate > 0 ? print.job : { ...print.job, plate }
  const next = { ...print, ...facts, job }
  return { ...next, filaments: filamentsOf(next) }
}
