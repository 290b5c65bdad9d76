#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { applyMemoryOptions } from './memory-options.js'

applyMemoryOptions(fileURLToPath(import.meta.url)) // before anything large is loaded
// Keeps Node running until the command is done: it would exit with code 13 while nothing it knows of is pending.
const working = setInterval(() => {}, 60_000)
const { CommanderError } = await import('commander')
const { createProgram } = await import('./program.js')

/** Exit codes: 0 success, 1 failure, 2 wrong usage. */
const FAILED = 1
const WRONG_USAGE = 2

/** One line for the user; the code is a link to the reference. */
function sentence (error: unknown): string {
  const { message = String(error), code } = (error ?? {}) as { message?: string, code?: unknown }
  return typeof code === 'string' && code.startsWith('PRN_ERR_') ? `${message} [${code}]` : message
}

// A closed pipe, as with `| head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : FAILED))

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE
  } else {
    process.stderr.write(`${sentence(error)}\n`)
    process.exit(FAILED)
  }
} finally {
  clearInterval(working)
}
