import type { Command, CommandReply } from './command.js'
import { text, type Raw } from '../state/raw.js'

/** A command that was published and may still be answered. */
export interface Sent {
  readonly sequenceId: string
  readonly command: Command
  /** ms since the epoch. */
  readonly at: number
}

/** Matches replies to the commands that we sent. */
export interface PendingCommands {
  /** Registers a command and assigns its sequence id. */
  add (command: Command, now: number, sequenceId?: string): Sent
  /**
   * The command that a reply belongs to, which is then no longer pending. A reply without a sequence id is matched to
   * the first command of that name; one with other echoed parameters belongs to another client.
   */
  match (section: string, body: Raw, now: number): Sent | undefined
  /** Resolves with the reply; undefined when none came in time or the connection was lost. */
  reply (sent: Sent, withinMs: number, signal: AbortSignal): Promise<CommandReply | undefined>
  settle (sent: Sent, reply: CommandReply): void
  /** The connection is lost: no pending command will be answered. */
  clear (): void
}

/** The range that slicers use; printers show their dialogs only for ids in it. */
const FIRST_ID = 20_000
const LAST_ID = 29_999
/** A later reply is assumed to belong to another client. */
const MAX_AGE_MS = 120_000
/** Limit of pending commands, far below the number of sequence ids, so that no two share one. */
const MAX_OPEN = 1_000

/** @param random picks the first sequence id, so that two clients rarely use the same ones concurrently */
export function createPendingCommands (random: () => number = Math.random): PendingCommands {
  let next = FIRST_ID + Math.floor(random() * (LAST_ID - FIRST_ID + 1))
  let open: Sent[] = []
  const waiting = new Map<Sent, (reply: CommandReply | undefined) => void>()

  function nextId (): string {
    const id = next
    next = next === LAST_ID ? FIRST_ID : next + 1
    return String(id)
  }

  const remove = (sent: Sent) => { open = open.filter(other => other !== sent) }

  /** Many commands are never answered. */
  const dropOld = (now: number) => { open = open.filter(({ at }) => now - at < MAX_AGE_MS).slice(-MAX_OPEN) }

  function match (section: string, body: Raw, now: number): Sent | undefined {
    dropOld(now)
    const id = text(body.sequence_id, text(body.sequenceId))
    const found = open.find(sent => sent.command.section === section &&
      text(sent.command.command) === text(body.command) &&
      (id === '' || sent.sequenceId === id) && sameParameters(sent.command, body))
    if (found) remove(found)
    return found
  }

  function reply (sent: Sent, withinMs: number, signal: AbortSignal): Promise<CommandReply | undefined> {
    return new Promise(resolve => {
      const done = (answer: CommandReply | undefined) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        waiting.delete(sent)
        resolve(answer)
      }
      const abort = () => done(undefined)
      const timer = setTimeout(done, withinMs, undefined)
      signal.addEventListener('abort', abort, { once: true })
      waiting.set(sent, done)
    })
  }

  return {
    add (command, now, sequenceId = nextId()) {
      const sent: Sent = { sequenceId, command, at: now }
      open.push(sent)
      dropOld(now)
      return sent
    },
    match,
    reply,
    settle: (sent, answer) => waiting.get(sent)?.(answer),
    clear () {
      open = []
      for (const done of [...waiting.values()]) done(undefined)
    }
  }
}

/** Parameters that printers echo unchanged, to distinguish our commands from another client's. */
const ECHOED = ['param', 'ams_id', 'module_name', 'led_node', 'mode']

const sameParameters = (command: Command, body: Raw): boolean => ECHOED.every(key =>
  command[key] === undefined || body[key] === undefined || String(command[key]) === String(body[key]))
