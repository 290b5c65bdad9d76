import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, Rights, Services } from '../../core/index.js'
import type { History } from '../history/index.js'
import type { QueueService } from '../queue/index.js'
import type { Store } from './store.js'
import type { PlanRow, RunRow } from './tables.js'
import type { Setting, UnitFacts, Verdict, Why } from './types.js'

/** Commands to units; they go through the operations, so that their checks hold and the audit knows of them. */
export interface Commands {
  start (printer: string, unit: number, setting: Setting & { readonly rotate: boolean }, caller: Rights): Promise<void>
  stop (printer: string, unit: number): Promise<void>
}

export interface DryingsOptions {
  readonly kernel: Pick<Kernel, 'printers' | 'now' | 'redact' | 'signal'>
  readonly store: Store
  readonly spools: Services['spools']
  readonly queue: QueueService | undefined
  readonly history: Pick<History, 'inProgress'> | undefined
  readonly commands: Commands
  readonly changed: () => void
  readonly ended: (run: RunRow) => void
  /** Something is wrong with a unit that a plan heats. */
  readonly alarm: (run: RunRow) => void
  /** As whom a plan acts on a printer now, or why it does not. */
  readonly caller: (plan: PlanRow, printer: string) => Rights | Why
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Between two turns. */
  readonly turnMs: number
  /** How long a print may leave open which slots it uses. */
  readonly graceMs: number
}

/** What is going on, for people. */
export interface Outlook {
  readonly plans: readonly PlanRow[]
  readonly runs: readonly RunRow[]
  readonly units: readonly (UnitFacts & { readonly verdicts: readonly (Verdict & { readonly plan: string })[] })[]
}

/** What printers say of their spools is all that is known without the database. */
export const NO_SPOOLS = {
  inventory: { list: async () => [], typesBySpool: async () => new Map() }, slots: () => []
} as unknown as DryingsOptions['spools']
