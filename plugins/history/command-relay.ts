import { randomUUID } from 'node:crypto'
import type { PrinterSession } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { FollowedPrinters } from './followed-printers.js'
import type { Observer } from './observer.js'
import { takeCommands, type Db } from './queries.js'
import type { Recorder } from './recorder.js'
import type { PrintCommand } from './starts.js'

export interface CommandRelayOptions {
  readonly database: Pick<Database, 'put' | 'query'>
  readonly followed: FollowedPrinters
  readonly recorder: Recorder
  readonly observer: Observer
}

/** Passes commands that start and stop prints to the service that records the printer. */
export class CommandRelay {
  readonly #options: CommandRelayOptions

  constructor (options: CommandRelayOptions) { this.#options = options }

  /** A command was sent from here. */
  pass (command: PrintCommand, session: PrinterSession | undefined): void {
    const { database, followed } = this.#options
    if (session === undefined || !followed.has(session)) return
    const { serial } = session.config
    this.#deliver(command, session)
    if (followed.isRecorded(serial)) return
    database.put({
      table: 'history_told',
      values: {
        id: randomUUID(),
        serial,
        kind: command.kind,
        caller: command.by,
        called_at: command.calledAt,
        asked: command.asked === undefined ? '' : JSON.stringify(command.asked),
        job: command.job === undefined ? '' : JSON.stringify(command.job)
      }
    })
  }

  /** Takes the commands that other services have sent to printers that are recorded here. */
  async receive (serials: readonly string[]): Promise<void> {
    const { database, followed } = this.#options
    for (const { serial, ...command } of await database.query((db: Db) => takeCommands(db, serials))) {
      const session = followed.get(serial)
      if (session) this.#deliver(command, session)
    }
  }

  #deliver (command: PrintCommand, session: PrinterSession): void {
    const { followed, recorder, observer } = this.#options
    const to = followed.isRecorded(session.config.serial) ? recorder : observer
    if (command.kind === 'start') to.started(command, session)
    else to.stopped(command, session)
  }
}
