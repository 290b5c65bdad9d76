import type { VirtualPrinter } from '../../../plugins/emulator/index.js'

type Result = 'running' | 'finished' | 'failed' | 'cancelled'

const RUNNING = new Set(['PREPARE', 'RUNNING', 'PAUSE'])
const CANCELLED = 0x0300400C

/** What one printer did, as it was seen on its own wire, and whether its plate was cleared before. */
export interface Ledger {
  readonly printer: VirtualPrinter
  /** What became of each print, by its number, or by its name where it has none. */
  readonly prints: ReadonlyMap<string, Result>
  /** Prints that began on a plate with something on it. */
  readonly onUsedPlate: readonly string[]
  /** Numbers of jobs that it was told to start, each time that it was. */
  readonly told: readonly string[]
  readonly isBusy: boolean
  /** A print of the queue has finished since somebody said that the plate is clear. */
  readonly hasPrinted: boolean
  isAway: boolean
  /** Looks at the printer. */
  look (): void
  /** Somebody takes off what lies on the plate. @returns what puts it back, as long as nothing has begun */
  clear (): () => void
  /** The service knows that it is clear. */
  confirmed (): void
}

/** @param printer one that no ledger is kept of yet */
export function keepLedger (printer: VirtualPrinter): Ledger {
  const prints = new Map<string, Result>()
  const onUsedPlate: string[] = []
  const told: string[] = []
  let lastRequest: (typeof printer.requests)[number] | undefined
  let isClear = false
  let confirmedAt = 0
  let isBusy = false

  function readRequests (): void {
    const { requests } = printer
    for (const { command, body } of requests.slice(lastRequest ? requests.lastIndexOf(lastRequest) + 1 : 0)) {
      if (command === 'project_file') told.push(String(body.task_id))
    }
    lastRequest = requests.at(-1)
  }

  function look (): void {
    readRequests()
    const { gcode_state: state = '', task_id: task = '0', subtask_name: name = '', print_error: error } =
      printer.report() as { gcode_state?: string, task_id?: string, subtask_name?: string, print_error?: number }
    isBusy = RUNNING.has(state)
    const key = task === '0' ? name : task
    if (key === '' || !(isBusy || state === 'FINISH' || state === 'FAILED')) return
    if (!prints.has(key)) {
      if (!isClear) onUsedPlate.push(`${printer.name} ${key}`)
      isClear = false
    }
    prints.set(key, isBusy ? 'running' : state === 'FINISH' ? 'finished' : error === CANCELLED ? 'cancelled' : 'failed')
  }

  return {
    printer,
    prints,
    onUsedPlate,
    told,
    get isBusy () { return isBusy },
    get hasPrinted () {
      return [...prints].slice(confirmedAt).some(([key, result]) => !isOwn(key) && result === 'finished')
    },
    isAway: false,
    look,
    clear () {
      look()
      const known = prints.size
      isClear = true
      return () => { if (prints.size === known) isClear = false }
    },
    confirmed () { confirmedAt = prints.size }
  }
}

/** Prints that people start at a printer have a name and no number. */
export const OWN = 'own-'
const isOwn = (key: string): boolean => key.startsWith(OWN)

/** Copies of the queue. */
export const countFinished = (ledgers: readonly Ledger[]): number => ledgers.reduce((sum, { prints }) =>
  sum + [...prints].filter(([key, result]) => !isOwn(key) && result === 'finished').length, 0)

export const countOf = (ledgers: readonly Ledger[], result: Result): number =>
  ledgers.reduce((sum, { prints }) => sum + [...prints.values()].filter(other => other === result).length, 0)

export const twice = (texts: readonly string[]): string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at)
