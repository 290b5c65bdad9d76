// Starts prnd for an agent: the installed one, or the one that npx fetches.
import { spawn } from 'node:child_process'

const NOT_FOUND = 127 // what shells exit with; the one of Windows has no such code and says it itself

/** A field that the user left empty arrives as its own placeholder. */
const isFilledIn = ([, value]) => !value.startsWith('${user_config.')

// On Windows npx is a batch file, which only a shell can start.
const child = spawn('npx -y prnd mcp', {
  shell: true, windowsHide: true, env: Object.fromEntries(Object.entries(process.env).filter(isFilledIn))
})
child.stdin.on('error', () => {}) // it has ended, and how is said below
// Passed on rather than inherited: where the program runs this itself, the process has no standard input of its own.
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.stderr.pipe(process.stderr)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('close', code => {
  if (code === NOT_FOUND) process.stderr.write('npx was not found. Install Node 20.19 or later from https://nodejs.org.\n')
  process.exitCode = code ?? 1
  process.stdin.destroy() // nothing else keeps this process
})
