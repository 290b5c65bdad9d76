import {
  hasCurrentState, isServiceError, type AnyOperation, type Kernel, type Rights
} from '../../../core/index.js'
import { timeoutSignal } from '../../../core/index.js'
import { wordsOfError } from '../author.js'
import type { Words } from '../vocabulary/index.js'
import { inputWith, textWith } from './inputs.js'
import type { Rule, Run, Step } from '../types.js'

/** Longer than any operation that a rule may call takes. */
const CALL_MS = 300_000
/** The command may have arrived: it is not repeated, and said. */
const UNCLEAR = new Set(['PRN_ERR_SEND_TIMEOUT', 'PRN_ERR_COMMAND_LOST', 'PRN_ERR_START_UNCLEAR'])

/** What a print sets itself: a rule that changes it would ruin the print. */
const NOT_PRINTING = new Set(['climate.setBedTarget', 'climate.setChamberTarget', 'climate.setFan', 'climate.setNozzleTarget'])

type CallStep = Extract<Step, { kind: 'call' }>

/** How an act ended. */
export type Acted = { readonly state: 'done' | 'failed' | 'unclear', readonly reason: string }

/** An act that is ready to begin: everything that can be checked before was checked. */
export interface Ready {
  readonly what: string
  readonly operation: string
  readonly printer: string | undefined
  readonly act: (signal: AbortSignal) => Promise<Acted>
}

export interface StepDeps {
  readonly kernel: Pick<Kernel, 'call' | 'printers'>
  readonly words: Words
  readonly message: (rule: Rule, printer: string | undefined, text: string, urgency: 'info' | 'warning' | 'critical') => void
}

/** @returns why it cannot begin */
function obstacle (operation: AnyOperation, printer: string | undefined, caller: Rights, kernel: StepDeps['kernel']): string | undefined {
  if (operation.scope === 'daemon') return undefined
  if (printer === undefined) return 'there is no printer that it concerns'
  if (caller.printers !== undefined && !caller.printers.has(printer)) return `its author may not use '${printer}'`
  const session = kernel.printers.get(printer)
  if (session === undefined) return `'${printer}' has no connection here`
  const acts = operation.effect === 'write' || operation.effect === 'destructive'
  // An old state could hide that somebody is printing, or has opened the door.
  if (acts && !hasCurrentState(session)) return `'${printer}' does not report its state`
  const state = session.state?.job.gcodeState
  return NOT_PRINTING.has(operation.name) && (state === 'RUNNING' || state === 'PREPARE') ? `'${printer}' prints` : undefined
}

/** Prepares the call of an operation. @throws Error with the reason if it cannot begin */
function readyCall (step: CallStep, rule: Rule, run: Run, caller: Rights, { kernel, words }: StepDeps): Ready {
  const operation = words.operations.get(step.operation)
  if (operation === undefined) throw new Error(`'${step.operation}' cannot be called by a rule here`)
  const named = step.printer ?? 'event'
  const printer = operation.scope === 'daemon' ? undefined : named === 'event' ? run.printer : named
  const problem = obstacle(operation, printer, caller, kernel)
  if (problem !== undefined) throw new Error(problem)
  const input = inputWith(step.input, run)
  return {
    what: printer === undefined ? step.operation : `${step.operation} on ${printer}`,
    operation: step.operation,
    printer,
    async act (signal) {
      const limit = timeoutSignal(CALL_MS)
      try {
        await kernel.call(operation, input, {
          caller, surface: 'rules', signal: AbortSignal.any([signal, limit]), ...(printer !== undefined && { printer })
        })
        return { state: 'done', reason: '' }
      } catch (error) {
        const isUnclear = limit.aborted || signal.aborted || (isServiceError(error) && UNCLEAR.has(error.code))
        return { state: isUnclear ? 'unclear' : 'failed', reason: wordsOfError(error) }
      }
    }
  }
}

/** @throws Error with the reason if it cannot begin */
export function readyStep (step: Extract<Step, { kind: 'call' | 'message' }>, rule: Rule, run: Run, caller: Rights, deps: StepDeps): Ready {
  if (step.kind === 'call') return readyCall(step, rule, run, caller, deps)
  const text = textWith(step.text, run, rule.name)
  return {
    what: `message: ${text}`,
    operation: 'message',
    printer: run.printer,
    async act () {
      deps.message(rule, run.printer, text, step.urgency ?? 'info')
      return { state: 'done', reason: '' }
    }
  }
}
