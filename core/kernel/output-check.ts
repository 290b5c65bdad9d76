import type { FastifyBaseLogger } from 'fastify'
import { defineError } from '../errors.js'
import { fitsOutput, outputError } from '../util/validate.js'
import type { Kernel } from './types.js'

type Described = Parameters<Kernel['checkOutput']>[0]

export const BadOutput = defineError<[operation: string, problem: string]>(
  'PRN_ERR_OUTPUT', "The answer of '%s' does not fit its output schema: %s", 500)

export interface OutputCheckOptions {
  /** Every output is checked, and a mismatch fails the call: for tests. */
  readonly strict: boolean
  /** ms since the epoch. */
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** A running service checks one output of an operation in this period. */
const PERIOD_MS = 60_000

/** An invalid schema of a plugin is reported as well. */
function problemOf ({ output: schema }: Described, output: unknown): string | undefined {
  try {
    return outputError(schema, output)
  } catch (error) {
    return `the schema is invalid: ${(error as Error).message}`
  }
}

function checkStrictly (operation: Described, output: unknown): void {
  const problem = problemOf(operation, output)
  if (problem !== undefined) throw new BadOutput(operation.name, problem)
}

/** Compares outputs with their schemas. In service, a mismatch is logged once for each operation and is no error. */
export function createOutputCheck ({ strict, now, log }: OutputCheckOptions): Kernel['checkOutput'] {
  if (strict) return checkStrictly
  const nextCheck = new Map<string, number>()

  async function report (operation: Described, output: unknown): Promise<void> {
    const isGood = await fitsOutput(operation.output, output).catch(() => false)
    const problem = isGood ? undefined : problemOf(operation, output)
    if (problem === undefined) return
    nextCheck.set(operation.name, Infinity)
    log.warn({ operation: operation.name, problem }, 'an answer does not fit its output schema')
  }

  return (operation, output) => {
    const at = now()
    if (at < (nextCheck.get(operation.name) ?? 0)) return
    nextCheck.set(operation.name, at + PERIOD_MS)
    void report(operation, output)
  }
}
