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
  /** Nothing lies on its plate. */
  readonly isClear: boolean
  isAway: boolean
  /** What happened to it, in order. */
  readonly notes: readonly string[]
  note (text: string): void
  /** Looks at the printer. */
  look (): void
  /** Somebody takes off what lies on the plate. @returns what puts it back, as long as nothing has begun */
  clear (): () => void
  /** What became of the print whose name ends so; undefined when it never began. */
  resultOf (ending: string): Result | undefined
}

/** @param printer one that no ledger is kept of yet */
export function keepLedger (printer: VirtualPrinter): Ledger {
  const prints = new Map<string, Result>()
  /** Keys by the names that the printer shows. */
  const names = new Map<string, string>()
  const onUsedPlate: string[] = []
  const told: string[] = []
  let lastRequest: (typeof printer.requests)[number] | undefined
  const notes: string[] = []
  let isClear = false
  let isBusy = false

  const note = (text: string): void => {
    notes.push(`${new Date().toISOString().slice(11, 23)} ${printer.name} ${text}`)
  }

  function readRequests (): void {
    const { requests } = printer
    for (const { command, body } of requests.slice(lastRequest ? requests.lastIndexOf(lastRequest) + 1 : 0)) {
      if (command === 'project_file') told.push(String(body.task_id))
      if (command === 'project_file') note(`told to start ${String(body.task_id)}`)
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
    const isUnexpected = !prints.has(key) && !isClear
    if (!prints.has(key)) {
      if (!isClear) onUsedPlate.push(`${printer.name} ${key}`)
      isClear = false
    }
    names.set(name, key)
    const result = isBusy ? 'running' : state === 'FINISH' ? 'finished' : error === CANCELLED ? 'cancelled' : 'failed'
    if (prints.get(key) !== result) note(`${key} (${name}) ${result}${isUnexpected ? ' ON A USED PLATE' : ''}`)
    prints.set(key, result)
  }

  return {
    printer,
    prints,
    onUsedPlate,
    told,
    get isBusy () { return isBusy },
    get isClear () { return isClear },
    isAway: false,
    notes,
    note,
    look,
    clear () {
      look()
      const known = { size: prints.size, isClear }
      isClear = true
      return () => { if (prints.size === known.size) isClear = known.isClear }
    },
    resultOf (ending) {
      const [, key = ''] = [...names].find(([name]) => name.endsWith(ending)) ?? []
      return prints.get(key)
    }
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
