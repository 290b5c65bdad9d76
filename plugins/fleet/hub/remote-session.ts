import {
  createEmitter, createExclusiveLock, EMPTY_CONTEXT, NotConnected, resolveModel, share, waitForState,
  type PrinterConfig, type PrinterSession, type RemoteHolder, type RunningSession, type SdCard, type ServiceState,
  type SessionEvents, type SessionProblem
} from '../../../core/index.js'
import type { PrinterValue } from '../types.js'

/** A session that another service holds, as a running one that is fed. */
export interface RemoteSession extends RunningSession {
  /** What its holder says of it now. */
  feed (value: PrinterValue): void
  /** Its holder is not there, or is there again. @param why undefined: it is there */
  reach (why: string | undefined): void
}

/** What the registry knows of a printer that is configured elsewhere: there is no access code. */
export const configOf = ({ config }: PrinterValue, name: string): PrinterConfig => {
  const { host, serial, model, ports, tls } = config
  return { name, host, serial, accessCode: '', ports, tls, ...(model !== undefined && { model }) }
}

export interface RemoteSessionDeps {
  /** What the printer is called here. */
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

  function problemIn ({ problem: told }: PrinterValue): SessionProblem | undefined {
    return told && { code: told.code, message: told.message, at: now() - told.ageMs }
  }

  /** Says what is different; everything is in place before anybody is told. */
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

  const asTold = () => ({ service: value.service, live: value.live, problem: problemIn(value) })
  const cutOff = (message: string) => ({
    service: value.service === 'CONNECTED' ? 'DISCONNECTED' as const : value.service,
    live: false,
    problem: { code: 'unreachable' as const, message, at: now() }
  })

  /** Whatever gets here is a fault of ours: everything that sends runs where the session is held. */
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
      if (unreachable === undefined) settle(asTold())
      const { state } = value
      if (state !== undefined && state !== before) events.emit('state', state, before)
    },
    reach (why) {
      if (why === unreachable) return
      unreachable = why
      settle(why === undefined ? asTold() : cutOff(why))
    }
  }
}
