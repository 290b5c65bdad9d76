import {
  EMPTY_CONTEXT, share, type Emitter, type ServiceState, type SessionEvents, type SessionProblem
} from '../../../core/index.js'
import type { PrinterValue } from '../types.js'

interface Reachable {
  readonly service: ServiceState
  readonly live: boolean
  readonly problem: SessionProblem | undefined
}

/** State of a printer as its holder has published it, or as cut off while the holder cannot be reached. */
export class RemoteState {
  readonly #events: Emitter<SessionEvents>
  readonly #now: () => number
  #value: PrinterValue
  #fedAt: number
  #shown: Reachable
  #unreachable: string | undefined

  constructor (first: PrinterValue, events: Emitter<SessionEvents>, now: () => number) {
    this.#events = events
    this.#now = now
    this.#value = first
    this.#fedAt = now()
    this.#shown = this.#asReported()
  }

  get value (): PrinterValue { return this.#value }

  get service (): ServiceState { return this.#shown.service }

  get live (): boolean { return this.#shown.live }

  get problem (): SessionProblem | undefined { return this.#shown.problem }

  get lastMessageAt (): number | undefined {
    const { messageAgeMs } = this.#value
    return messageAgeMs === undefined ? undefined : this.#fedAt - messageAgeMs
  }

  /** Takes a new value of the holder. */
  feed (next: PrinterValue): void {
    const { state: before, context } = this.#value
    this.#value = {
      ...next,
      context: share(context, { ...EMPTY_CONTEXT, ...next.context }),
      ...(next.state && { state: share(before, next.state) })
    }
    this.#fedAt = this.#now()
    if (this.#unreachable === undefined) this.#show(this.#asReported())
    const { state } = this.#value
    if (state !== undefined && state !== before) this.#events.emit('state', state, before)
  }

  /** Sets whether the holder is reachable. @param why it is not; undefined when it is */
  reach (why: string | undefined): void {
    if (why === this.#unreachable) return
    this.#unreachable = why
    this.#show(why === undefined ? this.#asReported() : this.#asCutOff(why))
  }

  /** Updates all values before the first event is emitted. */
  #show (next: Reachable): void {
    const before = this.#shown
    this.#shown = next
    const { service, live, problem } = next
    if (before.service !== service) this.#events.emit('service', service, before.service)
    if (before.live !== live) this.#events.emit('live', live)
    if (before.problem?.code === problem?.code && before.problem?.message === problem?.message) return
    if (problem || live) this.#events.emit('problem', problem)
  }

  #asReported (): Reachable {
    const { service, live, problem } = this.#value
    return {
      service,
      live,
      problem: problem && { code: problem.code, message: problem.message, at: this.#now() - problem.ageMs }
    }
  }

  #asCutOff (message: string): Reachable {
    const { service } = this.#value
    return {
      service: service === 'CONNECTED' ? 'DISCONNECTED' : service,
      live: false,
      problem: { code: 'unreachable', message, at: this.#now() }
    }
  }
}
