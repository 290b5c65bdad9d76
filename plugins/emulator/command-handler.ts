import type { Clock } from './clock.js'
import { obey } from './commands/index.js'
import type { Reply } from './commands/reply.js'
import { refused } from './commands/reply.js'
import type { Json } from './json-merge.js'
import type { FaultInjector } from './fault-injector.js'
import { raiseUnsigned, REFUSED_UNSIGNED } from './machine/errors.js'
import type { Machine } from './machine/types.js'
import { createOddStarts } from './odd-starts.js'
import { versionModules } from './report/version.js'
import { isVersionAtLeast } from './version.js'
import { decode, number, type Request } from './request.js'

/** Handles requests. */
export interface CommandHandler { receive (topic: string, payload: Uint8Array): void }

export interface CommandHandlerOptions {
  readonly machine: Machine
  readonly clock: Clock
  readonly faultInjector: FaultInjector
  /** Publishes one document. */
  readonly say: (document: Readonly<Json>) => void
  readonly noted: (topic: string, request: Request) => void
  readonly pushed: (command: string) => void
  /** A request may have changed the machine. */
  readonly acted: () => void
}

/** Larger ids make the AMS unresponsive until it is reset. */
const HIGHEST_SEQUENCE_ID = 2 ** 31 - 1

/** From this firmware on a P1 silently refuses an unsigned filament setting. */
const SILENT_REFUSAL = '01.10.00.00'

const unsigned = (m: Machine, { command }: Request): Reply => {
  raiseUnsigned(m)
  const isMute = m.traits.series === 'P1' && isVersionAtLeast(m.firmware, SILENT_REFUSAL)
  if (isMute && command === 'ams_filament_setting') return {}
  const reason = 'mqtt message verify failed'
  return { result: 'failed', reason, err_code: REFUSED_UNSIGNED, is_from_mqtt: true }
}

/** True when the request is for an AMS that no longer responds. */
function isLost (m: Machine, { command, body }: Request): boolean {
  if (!command.startsWith('ams_') || command === 'ams_reset') return false
  if ((number(body.sequence_id) ?? 0) > HIGHEST_SEQUENCE_ID) m.ams.hung = true
  return m.ams.hung
}

const version = (m: Machine, { body }: Request): Json => ({
  command: 'get_version',
  sequence_id: body.sequence_id,
  ...(m.traits.modern ? {} : { result: 'success', reason: '' }),
  module: versionModules(m)
})

/** The request with the reply's keys. */
const echo = (m: Machine, { section, body }: Request, reply: Reply): Json =>
  ({ ...body, ...(m.traits.modern && section === 'print' ? { is_from_mqtt: true } : {}), ...reply })

export function createCommandHandler (options: CommandHandlerOptions): CommandHandler {
  const { machine: m, clock, faultInjector, say } = options

  const deliver = (section: string, body: Json): void => {
    const send = (): void => { for (let copy = 0; copy < faultInjector.copies; copy++) say({ [section]: body }) }
    if (faultInjector.delayMs === 0) send()
    else clock.after(faultInjector.delayMs, send)
  }

  const oddStarts = createOddStarts({
    machine: m,
    clock,
    held: faultInjector.heldStarts,
    begin: request => { obey(m, request) },
    acted: options.acted
  })

  const decide = (request: Request): Reply | undefined => {
    const refusal = faultInjector.refusalFor(request)
    if (refusal !== undefined) return refused(refusal)
    if (request.section === 'print' && !m.developerMode) return unsigned(m, request)
    if (isLost(m, request)) return undefined
    const odd = request.command === 'project_file' ? faultInjector.oddStart : undefined
    return odd === undefined ? obey(m, request) : oddStarts.take(request, odd)
  }

  const answer = (request: Request): Json | undefined => {
    const reply = decide(request)
    return reply === undefined ? undefined : echo(m, request, reply)
  }

  const handle = (request: Request): void => {
    const { section, command } = request
    const silence = faultInjector.silenceFor(request)
    if (silence?.acts === false) return
    if (section === 'pushing') return silence === undefined ? options.pushed(command) : undefined
    const isVersion = section === 'info' && command === 'get_version'
    const reply = isVersion ? version(m, request) : answer(request)
    if (reply !== undefined && silence === undefined) deliver(section, reply)
    if (!isVersion) options.acted()
  }

  return {
    receive (topic, payload) {
      for (const request of decode(payload)) {
        options.noted(topic, request)
        if (!faultInjector.silent) handle(request)
      }
    }
  }
}
