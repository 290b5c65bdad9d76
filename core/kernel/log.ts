import { pino, type Level } from 'pino'
import type { FastifyBaseLogger } from 'fastify'
import { openLogFile, type LogFileOptions } from './log-file.js'
import type { Redactor } from './redact.js'

/** Level names of the interface, in ascending order. */
export const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const
export type LevelName = (typeof LEVELS)[number]

const PINO: Record<LevelName, Level> =
  { DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error', CRITICAL: 'fatal' }

/** Log groups: the service itself, and the printer sessions. */
export type LogGroup = 'service' | 'printers'

/** The loggers of a process: two groups with a level each, one file, every line redacted. */
export interface Logs {
  readonly root: FastifyBaseLogger
  /** Raw payloads of verbose sessions; written whatever the levels are. */
  readonly wire: FastifyBaseLogger
  /** Printer events for troubleshooting: written to the file only, whatever the levels are. */
  readonly journal: FastifyBaseLogger
  /** Undefined if there is no log file. */
  readonly path: string | undefined
  child (group: LogGroup, bindings: Record<string, unknown>): FastifyBaseLogger
  /** Releases a child logger that is no longer used. */
  forget (logger: FastifyBaseLogger): void
  level (group: LogGroup): LevelName
  setLevel (group: LogGroup, level: LevelName): void
  truncate (): Promise<void>
  close (): Promise<void>
}

export interface LogOptions {
  /** File to append to; undefined for none. */
  readonly path?: string | undefined
  /** Receives a copy of every line, such as the terminal's error stream. */
  readonly echo?: NodeJS.WritableStream | undefined
  readonly redactor: Redactor
  readonly limits?: Pick<LogFileOptions, 'mostBytes' | 'retryMs'>
}

/** Initial level of both groups. It is not configurable: levels change at run time only. */
const FIRST_LEVEL: LevelName = 'ERROR'

export async function createLogs ({ path, echo, redactor, limits }: LogOptions): Promise<Logs> {
  let open = true
  const warn = (message: string) => { echo?.write(`${message}\n`) }
  const file = path === undefined ? undefined : openLogFile(path, { warn, ...limits })
  const write = (line: string) => {
    if (!open) return // nothing can be logged after closing
    const safe = redactor.text(line)
    file?.write(safe)
    echo?.write(safe)
  }
  const shape = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const root = pino({ ...shape, level: PINO[FIRST_LEVEL] }, { write })
  const journal = pino({ ...shape, level: 'info' }, { write: line => { if (open) file?.write(redactor.text(line)) } })
  const loggers: Record<LogGroup, pino.Logger[]> = { service: [root], printers: [] }
  const levels: Record<LogGroup, LevelName> = { service: FIRST_LEVEL, printers: FIRST_LEVEL }

  return {
    root,
    wire: root.child({ module: 'wire' }, { level: 'debug' }),
    journal: journal.child({ module: 'journal' }),
    path,
    child (group, bindings) {
      const logger = root.child(bindings, { level: PINO[levels[group]] })
      loggers[group].push(logger)
      return logger
    },
    forget (logger) {
      for (const group of Object.values(loggers)) {
        const at = group.indexOf(logger as pino.Logger)
        if (at >= 0) group.splice(at, 1)
      }
    },
    level: group => levels[group],
    setLevel (group, level) {
      levels[group] = level
      for (const logger of loggers[group]) logger.level = PINO[level]
    },
    async truncate () { await file?.truncate() },
    async close () {
      open = false
      await file?.close()
    }
  }
}
