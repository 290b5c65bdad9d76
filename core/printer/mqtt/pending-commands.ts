import type { Command, CommandReply } from './command.js'
import { text, type Raw } from '../state/read.js'

/** A command that was published and may still be answered. */
export interface Sent {
  readonly sequenceId: string
  readonly command: Command
  /** ms since the epoch. */
  readonly at: number
}

/** Knows which answers belong to which of our commands. */
export interface PendingCommands {
  /** Notes a command and gives it its number. */
  note (command: Command, now: number, sequenceId?: string): Sent
  /**
   * The command an answer belongs to. An answer is taken once; one without a number goes to the first
   * command of that name, one whose echoed parameters differ belongs to somebody else.
   */
  claim (section: string, body: Raw, now: number): Sent | undefined
  /** Resolves with the answer, or undefined when none came in time or the connection went. */
  reply (sent: Sent, withinMs: number, signal: AbortSignal): Promise<CommandReply | undefined>
  settle (sent: Sent, reply: CommandReply): void
  /** The connection is gone: nothing outstanding will be answered. */
  clear (): void
}

/** The range that slicers use; a printer shows its dialogs only for ids in it. */
const FIRST_ID = 20_000
const LAST_ID = 29_999
/** An answer later than this is taken for somebody else's. */
const MAX_AGE_MS = 120_000
/** Most commands that may still be answered; far fewer than there are numbers, so that no two share one. */
const MAX_OPEN = 1_000

/** @param random starts the count, so that two clients rarely use the same numbers at the same time */
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

  /** Many commands are never answered: what has grown old is forgotten. */
  const forgetOld = (now: number) => { open = open.filter(({ at }) => now - at < MAX_AGE_MS).slice(-MAX_OPEN) }

  function claim (section: string, body: Raw, now: number): Sent | undefined {
    forgetOld(now)
    const id = text(body.sequence_id, text(body.sequenceId))
    const match = open.find(sent => sent.command.section === section &&
      text(sent.command.command) === text(body.command) &&
      (id === '' || sent.sequenceId === id) && sameParameters(sent.command, body))
    if (match) remove(match)
    return match
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
    note (command, now, sequenceId = nextId()) {
      const sent: Sent = { sequenceId, command, at: now }
      open.push(sent)
      forgetOld(now)
      return sent
    },
    claim,
    reply,
    settle: (sent, answer) => waiting.get(sent)?.(answer),
    clear () {
      open = []
      for (const done of [...waiting.values()]) done(undefined)
    }
  }
}

/** Parameters that printers echo unchanged, by which our command is told from another client's. */
const ECHOED = ['param', 'ams_id', 'module_name', 'led_node', 'mode']

const sameParameters = (command: Command, body: Raw): boolean => ECHOED.every(key =>
  command[key] === undefined || body[key] === undefined || String(command[key]) === String(body[key]))
