import type { Ledger } from '../farm/ledger.js'
import { resultOf, type Run } from '../farm/runs.js'
import type { Service } from '../farm/service.js'
import type { Machine } from './machine.js'

interface Row {
  readonly printer: string
  readonly plate: string
  readonly seen: string
  readonly outcome_wanted: boolean
  readonly job: string
  readonly why: { readonly code: string } | null
  readonly failures: { readonly stopped_at: number | null }
}

interface Task { readonly id: string, readonly state: string, readonly blocks: boolean }
interface Plug {
  readonly id: string
  readonly printer: string
  readonly is_on: boolean | null
  readonly waits_for_person: boolean
}

export interface PeopleOptions {
  readonly machines: readonly Machine[]
  readonly service: Service
  /** Printers with an ejector, where people only help. */
  readonly hasEjector: (printer: string) => boolean
}

/** An ejector is left alone for so long, ms, before somebody comes to look. */
const PATIENCE_MS = 2_000
const BUSY_EJECTING = new Set(['plate_cooling', 'plate_checking'])

/** What people do in the week: they clear plates, do what is due, and switch on again what stays off. */
export function createPeople ({ machines, service, hasEjector }: PeopleOptions) {
  const counts = { cleared: 0, unknown: 0, maintained: 0, switchedOn: 0, retried: 0, helped: 0 }
  const usedSince = new Map<string, number>()
  /** Printers without power whose plates are not clear: nothing switches them on by itself. */
  const stranded = new Set<string>()
  const ask = service.ask

  async function outcomeOf ({ job, printer }: Row, ledger: Ledger): Promise<'printed' | 'not_printed'> {
    const { runs } = await ask<{ runs: Run[] }>('GET', `/api/queue/jobs/${job}`)
    const run = runs.find(run => run.printer === printer && run.state === 'unknown')
    return run && resultOf(run, ledger) === 'finished' ? 'printed' : 'not_printed'
  }

  /** Whoever took a part off does not put it back when the service knows already, or does not hear. */
  async function confirm (row: Row, { look, ledger }: Machine): Promise<void> {
    const outcome = row.outcome_wanted ? { outcome: await outcomeOf(row, ledger) } : {}
    look()
    if (ledger.isBusy) return
    ledger.clear()
    try {
      await ask('POST', '/api/queue/plate_clear', { printer: row.printer, seen: row.seen, ...outcome })
      ledger.note(`confirmed clear ${JSON.stringify(outcome)}`)
      counts.cleared++
      counts.unknown += Number(row.outcome_wanted)
      counts.helped += Number(hasEjector(row.printer))
    } catch (error) {
      ledger.note(`confirming failed: ${(error as Error).message}`)
    }
  }

  function isLeftAlone ({ printer, why }: Row): boolean {
    if (!hasEjector(printer)) return false
    const since = usedSince.get(printer) ?? Date.now()
    usedSince.set(printer, since)
    return BUSY_EJECTING.has(why?.code ?? '') || (why?.code !== 'plate_unsure' && Date.now() - since < PATIENCE_MS)
  }

  return {
    counts,
    async clearPlates (): Promise<void> {
      const { printers } = await ask<{ printers: Row[] }>('GET', '/api/queue?limit=1')
      for (const row of printers) {
        const { printer, failures: { stopped_at: stopped } } = row
        if (stopped !== null) await ask('POST', '/api/queue/release', { printer, stopped_at: stopped })
        const machine = machines.find(({ printer }) => printer.name === row.printer)
        machine?.look()
        if (machine?.ledger.isAway === true && row.plate !== 'clear') stranded.add(row.printer)
        else stranded.delete(row.printer)
        if (!machine || machine.ledger.isAway || machine.ledger.isBusy || row.plate === 'clear') {
          usedSince.delete(row.printer)
          continue
        }
        if ((row.job === '' || row.outcome_wanted) && !isLeftAlone(row)) await confirm(row, machine)
      }
    },
    async maintain (): Promise<void> {
      const { printers } = await ask<{ printers: { printer: string, tasks: Task[] }[] }>('GET', '/api/maintenance')
      for (const { printer, tasks } of printers) {
        const due = tasks.filter(({ state, blocks }) => state === 'due' && blocks).map(({ id }) => id)
        if (due.length === 0) continue
        await ask('POST', '/api/maintenance/done', { printer, tasks: due })
        counts.maintained += due.length
      }
    },
    async switchOn (): Promise<void> {
      const { plugs } = await ask<{ plugs: Plug[] }>('GET', '/api/energy')
      const isWanted = ({ printer, is_on: isOn, waits_for_person: waits }: Plug) =>
        waits || (isOn === false && stranded.has(printer))
      for (const { id } of plugs.filter(isWanted)) {
        await ask('POST', '/api/energy/plugs/on', { id })
        counts.switchedOn++
      }
    },
    /** Copies that failed everywhere are wanted all the same. */
    async retry (jobs: readonly { readonly id: string, readonly state: string }[]): Promise<void> {
      for (const { id } of jobs.filter(({ state }) => ['failed', 'cancelled', 'blocked'].includes(state))) {
        await ask('PATCH', `/api/queue/jobs/${id}`, { act: 'retry' })
        counts.retried++
      }
    }
  }
}
