import type { Json } from './json-merge.js'
import type { Request } from './request.js'

/** How a command is refused. */
export interface Refusal {
  /** Default `fail`. */
  readonly result?: string
  readonly reason?: string
  readonly err_code?: number
  readonly errno?: number
  /** Allows the sender to insist: a repetition with this number in `err_ignored` is obeyed. */
  readonly err_index?: number
  /** How many commands are refused; by default all. */
  readonly times?: number
}

export interface Silence {
  /** How many commands stay unanswered; by default all. */
  readonly times?: number
  /** False: the command is not carried out either. Default true. */
  readonly acts?: boolean
}

/** Odd behaviour after an accepted start command; times are ms of the clock. */
export type OddStart =
  /**
   * The printer shows the previous job for this long, or until the fault is lifted; with `namesFirst` under the names
   * of the new one.
   * @param taskId the id that it gives the job instead of the one that was sent
   */
  | { readonly kind: 'late', readonly afterMs?: number, readonly namesFirst?: boolean, readonly taskId?: string }
  /** It never runs: the printer shows it as ended at 0 %, and the error number comes later. */
  | { readonly kind: 'stillborn', readonly state: 'FINISH' | 'FAILED', readonly error: number, readonly afterMs: number, readonly prepares?: boolean }

/** The active faults of a printer. Read by broker and command handler, set by `Faults`. */
export interface FaultInjector {
  /** Nothing is published, and requests have no effect. */
  silent: boolean
  rejectsCode: boolean
  delayMs: number
  /** How often an answer is sent. */
  copies: number
  oddStart: OddStart | undefined
  /** Starts that were accepted but have not begun. */
  readonly heldStarts: Set<() => void>
  addRefusal (command: string, refusal: Refusal): () => void
  addSilence (command: string, silence: Silence): () => void
  refusalFor (request: Request): Json | undefined
  silenceFor (request: Request): { readonly acts: boolean } | undefined
  clear (): void
}

interface Rule<T> { readonly command: string, readonly value: T, left: number }

/** `*` matches every command; a rename is matched by its section. */
const concerns = ({ command }: Rule<unknown>, request: Request): boolean =>
  command === '*' || command === request.command || command === `${request.section}.${request.command}` ||
  (request.command === '' && command === request.section)

const insists = ({ body }: Request, { err_index: index }: Refusal): boolean =>
  index !== undefined && Array.isArray(body.err_ignored) && body.err_ignored.includes(index)

function createRules<T extends { readonly times?: number }> () {
  const rules = new Set<Rule<T>>()
  return {
    clear: () => rules.clear(),
    add (command: string, value: T): () => void {
      const rule = { command, value, left: value.times ?? Infinity }
      rules.add(rule)
      return () => { rules.delete(rule) }
    },
    take (request: Request, passes: (value: T) => boolean = () => false): T | undefined {
      const rule = [...rules].find(one => concerns(one, request) && !passes(one.value))
      if (rule === undefined) return undefined
      rule.left--
      if (rule.left <= 0) rules.delete(rule)
      return rule.value
    }
  }
}

export function createFaultInjector (): FaultInjector {
  const refusals = createRules<Refusal>()
  const silences = createRules<Silence>()
  return {
    silent: false,
    rejectsCode: false,
    delayMs: 0,
    copies: 1,
    oddStart: undefined,
    heldStarts: new Set(),
    addRefusal: refusals.add,
    addSilence: silences.add,
    refusalFor (request) {
      const found = refusals.take(request, refusal => insists(request, refusal))
      if (found === undefined) return undefined
      const { times, ...reply } = found
      return reply
    },
    silenceFor (request) {
      const found = silences.take(request)
      return found === undefined ? undefined : { acts: found.acts ?? true }
    },
    clear () {
      Object.assign(this, { silent: false, rejectsCode: false, delayMs: 0, copies: 1, oddStart: undefined })
      refusals.clear()
      silences.clear()
    }
  }
}
