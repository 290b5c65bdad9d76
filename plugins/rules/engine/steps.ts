import {
  hasCurrentState, isServiceError, timeoutSignal, type AnyOperation, type Kernel, type PrinterSession, type Rights
} from '../../../core/index.js'
import { whyOfError } from '../author.js'
import { heatSeconds, HEATERS } from '../check/check-acts.js'
import type { Words } from '../vocabulary/index.js'
import { inputWith, textWith } from './inputs.js'
import { Problem, why, type Why } from '../words/why.js'
import type { Act, Heat, Rule, Run, Step } from '../types.js'
import { AT_REST } from './heaters.js'

/** Longer than any operation that a rule may call takes. */
const CALL_MS = 300_000
/** The command may have arrived: it is not repeated, and said. */
const UNCLEAR = new Set(['PRN_ERR_SEND_TIMEOUT', 'PRN_ERR_COMMAND_LOST', 'PRN_ERR_START_UNCLEAR'])

/** What a print sets itself: a rule that changes it would ruin the print. */
const NOT_PRINTING = new Set(['climate.setBedTarget', 'climate.setChamberTarget', 'climate.setFan', 'climate.setNozzleTarget'])

type CallStep = Extract<Step, { kind: 'call' }>

/** How an act ended. */
export interface Acted {
  readonly state: 'done' | 'failed' | 'unclear'
  readonly reason: Why | undefined
  /** The printer has confirmed it, or needs not to. */
  readonly isSure: boolean
}

/** An act that is ready to begin: everything that can be checked before was checked. */
export interface Ready {
  readonly what: string
  readonly operation: string
  readonly printer: string | undefined
  /** Undefined for messages. */
  readonly called: Act | undefined
  /** What the step heats; the same id ends it. */
  readonly heat: Omit<Heat, 'setAt' | 'until' | 'isTold'> & { readonly seconds: number } | undefined
  readonly act: (signal: AbortSignal) => Promise<Acted>
}

export interface StepDeps {
  readonly kernel: Pick<Kernel, 'call' | 'printers'>
  readonly words: Words
  /** @returns whether there is somebody to send it */
  readonly message: (rule: Rule, printer: string | undefined, text: string, urgency: 'info' | 'warning' | 'critical') => boolean
}

const PRINTS = new Set(['RUNNING', 'PREPARE'])

/** A paused print keeps what a rule switches off; nothing is heated beside it. */
const isPrints = (operation: string, input: Act['input'], { state }: PrinterSession): boolean => {
  const job = state?.job.gcodeState ?? ''
  const isHeat = HEATERS.has(operation) && input.celsius !== 0
  return NOT_PRINTING.has(operation) && (PRINTS.has(job) || (isHeat && !AT_REST.has(job)))
}

interface Wanted { readonly operation: AnyOperation, readonly printer: string | undefined, readonly input: Act['input'] }

/** @returns why it cannot begin */
function obstacle ({ operation, printer, input }: Wanted, caller: Rights, kernel: StepDeps['kernel']): Why | undefined {
  // Also of rules that were saved when they could.
  if (operation.name === 'queue.pause' && input.paused !== true) return why('resumes')
  if (operation.scope === 'daemon') return undefined
  if (printer === undefined) return why('no_printer')
  if (caller.printers !== undefined && !caller.printers.has(printer)) return why('not_allowed', { printer })
  const session = kernel.printers.get(printer)
  if (session === undefined) return why('no_connection', { printer })
  const acts = operation.effect === 'write' || operation.effect === 'destructive'
  // An old state could hide that somebody is printing, or has opened the door.
  if (acts && !hasCurrentState(session)) return why('not_current', { printer })
  return isPrints(operation.name, input, session) ? why('prints', { printer }) : undefined
}

/** The heat that a call begins or ends. */
function heatOf ({ operation, printer, input }: Act, rule: Rule, run: Run): Ready['heat'] {
  const { celsius, extruder } = input
  if (!HEATERS.has(operation) || printer === undefined || typeof celsius !== 'number') return undefined
  const of = typeof extruder === 'number' && extruder >= 0 ? extruder : undefined
  return {
    id: [run.id, operation, printer, of ?? ''].join(':'),
    run: run.id,
    ruleName: rule.name,
    printer,
    operation,
    extruder: of,
    celsius: Math.trunc(celsius),
    seconds: heatSeconds(rule.then, run.step)
  }
}

/** It is stored before the heater is on, so that it has an owner whatever happens. */
export function begunHeat ({ heat }: Pick<Ready, 'heat'>, at: number): Heat | undefined {
  if (heat === undefined || heat.celsius <= 0) return undefined
  const { seconds, ...own } = heat
  return { ...own, setAt: at, until: at + seconds * 1_000, isTold: false }
}

/** Prepares the call of an operation. @throws Problem with the reason if it cannot begin */
function readyCall (step: CallStep, rule: Rule, run: Run, caller: Rights, { kernel, words }: StepDeps): Ready {
  const operation = words.operations.get(step.operation)
  if (operation === undefined) throw new Problem('no_call', { operation: step.operation })
  const named = step.printer ?? 'event'
  const printer = operation.scope === 'daemon' ? undefined : named === 'event' ? run.printer : named
  const input = inputWith(step.input, run)
  const problem = obstacle({ operation, printer, input }, caller, kernel)
  if (problem !== undefined) throw new Problem(problem.code, problem.values)
  const called: Act = { operation: step.operation, printer, input }
  return {
    what: printer === undefined ? step.operation : `${step.operation} on ${printer}`,
    operation: step.operation,
    printer,
    called,
    heat: heatOf(called, rule, run),
    async act (signal) {
      const limit = timeoutSignal(CALL_MS)
      try {
        const answer: unknown = await kernel.call(operation, input, {
          caller, surface: 'rules', signal: AbortSignal.any([signal, limit]), ...(printer !== undefined && { printer })
        })
        return { state: 'done', reason: undefined, isSure: (answer as { confirmed?: unknown } | undefined)?.confirmed !== false }
      } catch (error) {
        const isUnclear = limit.aborted || signal.aborted || (isServiceError(error) && UNCLEAR.has(error.code))
        return { state: isUnclear ? 'unclear' : 'failed', reason: whyOfError(error), isSure: false }
      }
    }
  }
}

/** @throws Problem with the reason if it cannot begin */
export function readyStep (step: Extract<Step, { kind: 'call' | 'message' }>, rule: Rule, run: Run, caller: Rights, deps: StepDeps): Ready {
  if (step.kind === 'call') return readyCall(step, rule, run, caller, deps)
  const text = textWith(step.text, run, rule.name)
  return {
    what: `message: ${text}`,
    operation: 'message',
    printer: run.printer,
    called: undefined,
    heat: undefined,
    async act () {
      const isSent = deps.message(rule, run.printer, text, step.urgency ?? 'info')
      // The run goes on: what a rule heats is not to stay on because nobody is told.
      return { state: 'done', reason: isSent ? undefined : why('not_sent'), isSure: true }
    }
  }
}
