import {
  createEmitter, createExclusiveLock, EMPTY_CONTEXT, NotConnected, resolveModel, share, waitForState,
  type PrinterConfig, type PrinterSession, type RemoteHolder, type RunningSession, type SdCard, type ServiceState,
  type SessionEvents, type SessionProblem
} from '../../../core/index.js'
import type { PrinterValue } from '../types.js'

/** A session that another service holds, updated from its published values. */
export interface RemoteSession extends RunningSession {
  /** Takes a new value of its holder. */
  feed (value: PrinterValue): void
  /** Sets whether the holder is reachable. @param why it is not; undefined when it is */
  reach (why: string | undefined): void
}

/** Configuration of a printer that another service has; without an access code. */
export const configOf = ({ config }: PrinterValue, name: string): PrinterConfig => {
  const { host, serial, model, ports, tls } = config
  return { name, host, serial, accessCode: '', ports, tls, ...(model !== undefined && { model }) }
}

export interface RemoteSessionDeps {
  /** Display name of the printer at this hub. */
  readonly name: string
  readonly holder: RemoteHolder
  readonly now: () => number
  readonly log: { error (fields: object, message: string): void }
}

export function createRemoteSession (first: PrinterValue, deps: RemoteSessionDeps): RemoteSession {
  const { name, holder, now, log } = deps
  const config = configOf(first, name)
  const controller = new AbortController()
  const events = createEmitter<SessionEvents>((error, event) => log.error({ err: error, event }, 'listener failed'))
  let value = first
  let fedAt = now()
  let service: ServiceState = first.service
  let live = first.live
  let problem: SessionProblem | undefined = problemIn(first)
  let unreachable: string | undefined

  function problemIn ({ problem: reported }: PrinterValue): SessionProblem | undefined {
    return reported && { code: reported.code, message: reported.message, at: now() - reported.ageMs }
  }

  /** Updates all values before the first event is emitted. */
  function settle (next: { service: ServiceState, live: boolean, problem: SessionProblem | undefined }): void {
    const before = { service, live, code: problem?.code, message: problem?.message }
    service = next.service
    live = next.live
    problem = next.problem
    if (before.service !== service) events.emit('service', service, before.service)
    if (before.live !== live) events.emit('live', live)
    if (before.code === problem?.code && before.message === problem?.message) return
    if (problem || live) events.emit('problem', problem)
  }

  const asReported = () => ({ service: value.service, live: value.live, problem: problemIn(value) })
  const cutOff = (message: string) => ({
    service: value.service === 'CONNECTED' ? 'DISCONNECTED' as const : value.service,
    live: false,
    problem: { code: 'unreachable' as const, message, at: now() }
  })

  /** Never reached unless by a bug: every operation that sends runs at the holder. */
  const refuse = async (): Promise<never> => {
    throw new NotConnected(name).with({ detail: `its session is held by ${holder.name}` })
  }
  const card = new Proxy({}, { get: () => refuse }) as SdCard

  const session: PrinterSession = {
    name,
    remote: holder,
    config: Object.defineProperty({ ...config }, 'accessCode', { enumerable: false }),
    events,
    signal: controller.signal,
    card,
    get model () { return resolveModel(config.serial, value.model) },
    get capabilities () { return value.state?.capabilities },
    get service () { return service },
    get state () { return value.state },
    raw: Object.freeze({}),
    get context () { return value.context },
    get live () { return live },
    get lastMessageAt () { return value.messageAgeMs === undefined ? undefined : fedAt - value.messageAgeMs },
    get problem () { return problem },
    get protocolWarnings () { return value.warnings },
    get verbose () { return value.verbose },
    set verbose (_) {},
    send: refuse,
    perform: refuse,
    publish: refuse,
    exclusively: createExclusiveLock(name, controller.signal),
    rememberChamberTarget () {},
    ignoreFaults () {},
    giveUpStart: () => false,
    restoreStart () {},
    until: (test, within) => waitForState(session, test, within),
    pause: refuse,
    resume: refuse,
    async refresh () {}
  }

  return {
    session,
    start () {},
    async end () { controller.abort() },
    feed (next) {
      const before = value.state
      value = {
        ...next,
        context: share(value.context, { ...EMPTY_CONTEXT, ...next.context }),
        ...(next.state && { state: share(before, next.state) })
      }
      fedAt = now()
      if (unreachable === undefined) settle(asReported())
      const { state } = value
      if (state !== undefined && state !== before) events.emit('state', state, before)
    },
    reach (why) {
      if (why === unreachable) return
      unreachable = why
      settle(why === undefined ? asReported() : cutOff(why))
    }
  }
}
