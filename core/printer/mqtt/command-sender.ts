import type { FastifyBaseLogger } from 'fastify'
import { CommandLost, NotConnected, Refused, SendTimeout, SignatureRequired } from '../../errors.js'
import { envelope, wantsSignature, type Command, type CommandReply } from './command.js'
import type { MqttConnection } from './mqtt-connection.js'
import type { PendingCommands, Sent } from './pending-commands.js'
import type { Timeouts } from '../timeouts.js'
import type { SendOptions } from '../types.js'
import { withTimeout } from '../../util/with-timeout.js'

export interface CommandSenderDeps {
  readonly name: string
  readonly pending: PendingCommands
  readonly signal: AbortSignal
  readonly now: () => number
  readonly timeouts: Pick<Timeouts, 'ackMs' | 'answerMs'>
  /** The current connection. */
  readonly connection: () => MqttConnection | undefined
  /** Why there is none. */
  readonly problem: () => string | undefined
  /** False while the report topic is not subscribed: replies do not arrive then. */
  readonly isSubscribed: () => boolean
  /** Called with each command as it is sent. */
  readonly onSend: (command: Command) => void
  /** Throws while nothing may be sent: called last, in the same turn as sending. */
  readonly check: () => void
  /** Logger for raw payloads, if they are logged. */
  readonly wire: () => FastifyBaseLogger | undefined
  /** The text of a refusal with this error number and reason. */
  readonly explain: (errorNumber: number, reason: string) => string
}

interface Exchange {
  /** Sent after the others; their replies are ignored. */
  readonly bestEffort?: readonly Command[]
  readonly onSent?: SendOptions['onSent'] | undefined
  /** What it throws keeps the commands from being sent. */
  readonly check?: (() => void) | undefined
}

export function createCommandSender (deps: CommandSenderDeps) {
  const { name, pending, now, signal, timeouts: { ackMs, answerMs } } = deps

  async function post (connection: MqttConnection, request: Readonly<Record<string, unknown>>): Promise<void> {
    const payload = JSON.stringify(request)
    deps.wire()?.debug({ payload }, 'sent')
    const acknowledged = connection.publish(payload).catch(() => { throw new CommandLost(name) })
    await withTimeout(ackMs, acknowledged, () => new SendTimeout(name, ackMs / 1000))
  }

  function requireConnection (): MqttConnection {
    const connection = deps.connection()
    if (connection?.connected === true && !signal.aborted) {
      deps.check()
      return connection
    }
    const detail = deps.problem()
    throw new NotConnected(name).with(detail === undefined ? {} : { detail })
  }

  /** Registers and publishes synchronously, so that the commands of two operations never interleave. */
  function dispatch (commands: readonly Command[], check?: () => void): { sent: Sent, acknowledged: Promise<void> }[] {
    const connection = requireConnection()
    check?.()
    return commands.map(command => {
      const sent = pending.add(command, now())
      deps.onSend(command)
      return { sent, acknowledged: post(connection, envelope(command, sent.sequenceId)) }
    })
  }

  async function exchange (commands: readonly Command[], replyWithin: number | undefined,
    { bestEffort = [], onSent, check }: Exchange = {}) {
    const dispatched = dispatch([...commands, ...bestEffort], check)
    for (const { sent } of dispatched) onSent?.(sent.sequenceId)
    const replies = dispatched.slice(0, commands.length).map(({ sent }) =>
      replyWithin === undefined || !deps.isSubscribed() ? undefined : pending.reply(sent, replyWithin, signal))
    await Promise.all(dispatched.map(({ acknowledged }) => acknowledged))
    return await Promise.all(replies)
  }

  const refusal = (what: string, reply: CommandReply) => wantsSignature(reply)
    ? new SignatureRequired(name, what)
    : new Refused(name, what, deps.explain(reply.errorNumber, reply.reason))

  return {
    send: async (command: Command, { replyWithin, onSent }: SendOptions = {}) =>
      (await exchange([command], replyWithin, { onSent }))[0],

    async perform (what: string, commands: Command | readonly Command[], bestEffort: readonly Command[] = [],
      check?: () => void) {
      const wanted = [commands].flat() as readonly Command[]
      const replies = await exchange(wanted, answerMs, { bestEffort, check })
      const refused = replies.find(reply => reply?.accepted === false)
      if (refused) throw refusal(what, refused)
      return { confirmed: replies[0] !== undefined }
    },

    publish: async (request: Readonly<Record<string, unknown>>) => { await post(requireConnection(), request) },

    /** Publishes without waiting; a failure is only logged. */
    post (onFailure: (error: unknown) => void, ...commands: readonly Command[]): void {
      try {
        for (const { acknowledged } of dispatch(commands)) acknowledged.catch(onFailure)
      } catch (error) { // sending is not permitted, or the connection was lost
        onFailure(error)
      }
    }
  }
}
