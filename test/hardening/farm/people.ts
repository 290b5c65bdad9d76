import { setTimeout as sleep } from 'node:timers/promises'
import { OWN, type Ledger } from './ledger.js'
import { resultOf, type Run } from './runs.js'
import { Refusal, type Service } from './service.js'

interface PrinterRow {
  readonly printer: string
  readonly plate: string
  readonly seen: string
  readonly outcome_wanted: boolean
  readonly job: string
}

export interface PeopleOptions {
  readonly ledgers: readonly Ledger[]
  /** One that can be asked now. */
  readonly service: () => Service
  /** From 0 to below 1. */
  readonly random: () => number
}

/** What people do in a farm, and what happens to it. */
export function createPeople ({ ledgers, service, random }: PeopleOptions) {
  const counts = { vanished: 0, cancelledHere: 0, cancelledThere: 0, own: 0, unknown: 0 }
  const any = (test: (ledger: Ledger) => boolean): Ledger | undefined => {
    const fitting = ledgers.filter(ledger => !ledger.isAway && test(ledger))
    return fitting[Math.floor(random() * fitting.length)]
  }

  /** The queue names each print after its run. */
  async function outcomeOf ({ job, printer }: PrinterRow, ledger: Ledger): Promise<'printed' | 'not_printed'> {
    const { runs } = await service().ask<{ runs: Run[] }>('GET', `/api/queue/jobs/${job}`)
    const run = runs.find(run => run.printer === printer && run.state === 'unknown')
    return run && resultOf(run, ledger) === 'finished' ? 'printed' : 'not_printed'
  }

  /** When the service is killed meanwhile, nobody knows whether it heard: the plate is clear all the same. */
  async function confirm (row: PrinterRow, ledger: Ledger): Promise<void> {
    const outcome = row.outcome_wanted ? { outcome: await outcomeOf(row, ledger) } : {}
    const putBack = ledger.clear()
    try {
      await service().ask('POST', '/api/queue/plate_clear', { printer: row.printer, seen: row.seen, ...outcome })
      ledger.note(`confirmed clear ${JSON.stringify(outcome)}`)
      counts.unknown += Number(row.outcome_wanted)
    } catch (error) {
      ledger.note(`confirming failed: ${(error as Error).message}`)
      if (error instanceof Refusal) putBack()
    }
  }

  return {
    counts,
    /** Looks at each printer, takes off what lies there, and says so. */
    async clearPlates (): Promise<void> {
      const { printers } = await service().ask<{ printers: PrinterRow[] }>('GET', '/api/queue?limit=1')
      for (const row of printers) {
        const ledger = ledgers.find(({ printer }) => printer.name === row.printer)
        ledger?.look()
        if (!ledger || ledger.isAway || ledger.isBusy || row.plate === 'clear') continue
        if (row.job === '' || row.outcome_wanted) await confirm(row, ledger)
      }
    },
    /** A printer is switched off and goes on later, or cannot be reached while it prints. */
    async vanish (): Promise<void> {
      const ledger = any(() => true)
      if (!ledger) return
      const { printer } = ledger
      ledger.isAway = true
      counts.vanished++
      ledger.note('away')
      const awayMs = 300 + random() * 2_000
      if (random() < 0.5) {
        await printer.stop()
        await sleep(awayMs)
        await printer.start()
      } else {
        const lift = printer.faults.refuseConnections()
        printer.faults.drop()
        await sleep(awayMs)
        lift()
      }
      ledger.note('back')
      ledger.isAway = false
    },
    async cancelHere (): Promise<void> {
      const ledger = any(({ isBusy }) => isBusy)
      if (!ledger) return
      await service().ask('POST', '/api/stop_printing', { printer: ledger.printer.name })
      counts.cancelledHere++
    },
    cancelThere (): void {
      const ledger = any(({ isBusy }) => isBusy)
      if (!ledger) return
      ledger.printer.stopJob()
      counts.cancelledThere++
    },
    /** Somebody clears a plate, says nothing, and prints something of their own from the printer's screen. */
    printOwn (): void {
      const ledger = any(({ isBusy }) => !isBusy)
      if (!ledger) return
      ledger.clear()
      if (ledger.isBusy) return
      ledger.note('own print')
      ledger.printer.startJob({ name: `${OWN}${++counts.own}`, minutes: 4 })
      ledger.look()
    }
  }
}
