import type { FastifyBaseLogger } from 'fastify'
import type { Command } from './mqtt/command.js'
import type { ReportStore } from './report/report-store.js'
import type { StartRecord, StartStore } from './state/context.js'
import { isProjectFile, shownJob, startOf } from './state/start.js'
import type { PrinterSession } from './types.js'

type Sender = Pick<PrinterSession, 'send' | 'perform'>

export interface StartKeeperDeps {
  readonly serial: string
  readonly reports: ReportStore
  /** Undefined if starts are not stored. */
  readonly store: StartStore | undefined
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** Stores a start before it is sent, and every later change of its record. */
export function createStartKeeper ({ serial, reports, store, now, log }: StartKeeperDeps) {
  let stored = reports.context.start

  async function write (start: StartRecord): Promise<void> {
    stored = start
    await store?.set(serial, start)
      .catch((error: unknown) => log.error({ err: error }, 'a start could not be stored'))
  }

  function note (): void {
    const { start } = reports.context
    if (start !== undefined && start !== stored) void write(start)
  }

  async function storeFirst<T> (command: Command, work: () => Promise<T>): Promise<T> {
    const before = reports.context.start
    await write(startOf(command, reports.state && shownJob(reports.raw), now(), false))
    try {
      return await work()
    } finally {
      if (reports.context.start === before) await write(before ?? withdrawn(command, now()))
      else note()
    }
  }

  /** @param work publishes the commands */
  function around<T> (commands: readonly Command[], work: () => Promise<T>): Promise<T> {
    const command = commands.find(isProjectFile)
    return store === undefined || command === undefined ? work() : storeFirst(command, work)
  }

  return {
    /** The record of the last start may have changed. */
    note,
    /** The same functions, which store a start first. */
    recording: ({ send, perform }: Sender): Sender => ({
      send: (command, options) => around([command], () => send(command, options)),
      perform: (what, commands, ...rest) => around([commands].flat(), () => perform(what, commands, ...rest))
    }),
    /** @param publish notifies those who follow the printer */
    changes (publish: () => void): Pick<PrinterSession, 'giveUpStart' | 'restoreStart'> {
      function change<T> (act: () => T): T {
        const result = act()
        note()
        publish()
        return result
      }
      return {
        giveUpStart: () => change(reports.giveUpStart),
        restoreStart: start => change(() => reports.restoreStart(start))
      }
    }
  }
}

/** A start that was stored but could not be sent. */
const withdrawn = (command: Command, at: number): StartRecord =>
  ({ ...startOf(command, undefined, at, false), outcome: 'given_up' })
