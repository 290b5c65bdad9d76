import type { Ledger } from './ledger.js'

/** One copy on one printer, as the queue tells of it. */
export interface Run { readonly id: string, readonly printer: string, readonly state: string, readonly reason: string }

/** The queue names each print after its run. */
export const resultOf = ({ id }: Run, ledger: Ledger | undefined) => ledger?.resultOf(id.slice(0, 8))

/** Where the queue and the printers differ about copies, in words. */
export const miscounted = (runs: readonly Run[], ledgers: readonly Ledger[]): string[] => runs.flatMap(run => {
  const result = resultOf(run, ledgers.find(({ printer }) => printer.name === run.printer)) ?? 'not_started'
  return result === run.state
    ? []
    : `${run.printer} ${run.id.slice(0, 8)}: ${result}, for the queue ${run.state} ${run.reason}`
})
