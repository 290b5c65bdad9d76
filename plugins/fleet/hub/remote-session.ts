import {
  createEmitter, createExclusiveLock, NotConnected, resolveModel, waitForState, type PrinterConfig, type PrinterSession,
  type RemoteHolder, type RunningSession, type SdCard, type SessionEvents
} from '../../../core/index.js'
import type { PrinterValue } from '../types.js'
import { RemoteState } from './remote-state.js'

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
  const state = new RemoteState(first, events, now)

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
    get model () { return resolveModel(config.serial, state.value.model) },
    get capabilities () { return state.value.state?.capabilities },
    get service () { return state.service },
    get state () { return state.value.state },
    raw: Object.freeze({}),
    get context () { return state.value.context },
    get live () { return state.live },
    get lastMessageAt () { return state.lastMessageAt },
    get problem () { return state.problem },
    get protocolWarnings () { return state.value.warnings },
    get verbose () { return state.value.verbose },
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
    feed: value => state.feed(value),
    reach: why => state.reach(why)
  }
}
