import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import type { Dice } from '../values.js'
import type { Entry } from './ledger.js'
import type { Sight } from './sight.js'

/** Makes a printer do what alerts are about, never the next before the last could be seen. */
export interface Actor {
  /** @param calm nothing new is begun */
  step (calm: boolean): void
  /** Everything that happened could be seen, and nothing is under way. */
  readonly atRest: boolean
  /** Who looked has forgotten everything: the end of an error that it never told of is no news. */
  forgotten (): void
}

/** What happened: it must be told, or may be. */
export type Happened = (entry: Entry, must?: boolean) => void

const S = 1_000
const REST_S = [2, 20] as const
const restMs = (dice: Dice) => (REST_S[0] + dice.next() * (REST_S[1] - REST_S[0])) * S

type JobState = 'RUNNING' | 'PAUSE' | 'FINISH' | 'FAILED'
type Step = readonly [next: JobState, alert: string]

const STEPS: Readonly<Record<JobState, readonly Step[]>> = {
  RUNNING: [['PAUSE', 'job_paused'], ['FINISH', 'job_finished'], ['FAILED', 'job_failed']],
  PAUSE: [['RUNNING', 'job_resumed'], ['RUNNING', 'job_resumed'], ['FINISH', 'job_finished'], ['FAILED', 'job_failed']],
  FINISH: [['RUNNING', 'job_started']],
  FAILED: [['RUNNING', 'job_started']]
}

const FIRST_ERROR = 0x03008001
const FIRST_PHASE = 0x03000001
const PHASES = 0x3000
const HMS = { attr: 0x0C000300, code: 0x00020001 } as const
const hex8 = (number: number) => number.toString(16).toUpperCase().padStart(8, '0')

/** A long job whose state and errors are set from outside, so that every change is known to the moment. */
export function createScripted (printer: VirtualPrinter, sight: Sight, dice: Dice, happened: Happened): Actor {
  const { name } = printer
  let state: JobState = 'RUNNING'
  let failing = false
  let announced = false
  let errors = 0
  let lastAt = 0
  let restsUntil = Date.now() + restMs(dice)

  function changeJob (): void {
    const [next, type] = dice.oneOf(STEPS[state])
    printer.patch({ gcode_state: next })
    state = next
    happened({ printer: name, type, detail: '' })
  }

  /** A health message counts only beside an error; each time both have a number that was not there before. */
  function raise (): void {
    errors++
    const error = FIRST_ERROR + errors
    const hms = { ...HMS, attr: HMS.attr + (errors & 0xFF) }
    const both = dice.next() < 0.5
    printer.patch({ print_error: error, hms: both ? [hms] : [] })
    failing = announced = true
    happened({ printer: name, type: 'hms_error_new', detail: hex8(error) })
    if (both) happened({ printer: name, type: 'hms_error_new', detail: hex8(hms.attr) + hex8(hms.code) })
  }

  function clear (): void {
    printer.patch({ print_error: 0, hms: [] })
    happened({ printer: name, type: 'hms_error_cleared', detail: '' }, announced)
    failing = announced = false
  }

  /** A health message alone is history, and a phase of a job is no error: neither may be told. */
  const murmur = () =>
    printer.patch(dice.next() < 0.5 ? { hms: [HMS] } : { print_error: FIRST_PHASE + dice.below(PHASES) })

  function act (): void {
    const kind = dice.next()
    if (kind < 0.5) changeJob()
    else if (failing) dice.next() < 0.6 ? clear() : raise()
    else if (kind < 0.9) raise()
    else murmur()
    lastAt = Date.now()
    restsUntil = lastAt + restMs(dice)
  }

  return {
    step (calm) { if (!calm && Date.now() >= restsUntil && sight.seen(lastAt)) act() },
    get atRest () { return sight.seen(lastAt) },
    forgotten () { announced = false }
  }
}

const OVER = new Set(['FINISH', 'FAILED'])
const LAYERS = 20
const MINUTES = 6
const FAILURE = '03004000'

/** Short jobs that run by themselves from the first stage to the last layer. */
export function createRunner (printer: VirtualPrinter, sight: Sight, dice: Dice, happened: Happened): Actor {
  const { name } = printer
  let running = false
  let failing = false
  let announced = false
  let lastAt = 0
  let jobs = 0

  function begin (): void {
    if (failing) happened({ printer: name, type: 'hms_error_cleared', detail: '' }, announced)
    failing = !failing && dice.next() < 0.4 // the same error twice within half a minute is one
    printer.startJob({ name: `job ${++jobs}`, layers: LAYERS, minutes: MINUTES, typeOfEnd: failing ? 'fail' : 'finish' })
    running = true
    lastAt = Date.now()
    happened({ printer: name, type: 'job_started', detail: '' }, false)
  }

  function end (): void {
    running = false
    lastAt = Date.now()
    happened({ printer: name, type: failing ? 'job_failed' : 'job_finished', detail: '' })
    announced = failing
    if (failing) happened({ printer: name, type: 'hms_error_new', detail: FAILURE })
  }

  return {
    step (calm) {
      const { gcode_state: state } = printer.report()
      if (running && OVER.has(String(state))) end()
      else if (!running && !calm && sight.seen(lastAt)) begin()
    },
    get atRest () { return !running && sight.seen(lastAt) },
    forgotten () { announced = false }
  }
}
