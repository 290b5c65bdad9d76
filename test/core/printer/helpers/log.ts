import { pino } from 'pino'
import type { FastifyBaseLogger } from 'fastify'

export interface CollectedLog {
  readonly log: FastifyBaseLogger
  /** Every line so far, parsed. */
  readonly lines: Record<string, unknown>[]
  /** Everything written, as it was written. */
  text (): string
}

/** A logger of the lowest level that keeps what it is given. */
export function collectLog (): CollectedLog {
  const lines: Record<string, unknown>[] = []
  let written = ''
  const write = (line: string) => {
    written += line
    lines.push(JSON.parse(line) as Record<string, unknown>)
  }
  return { log: pino({ level: 'trace', base: null }, { write }), lines, text: () => written }
}
