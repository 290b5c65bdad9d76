import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Debian's, for which the versions are pinned: other ones may round differently. */
export const PYTHON = '/usr/bin/python3'

/** Runs a program with this terminal. @throws when it fails */
export async function run (program: string, args: readonly string[]): Promise<void> {
  const [code, signal] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit') as [number | null, string | null]
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} … ended with ${code ?? signal}`)
}

/** Runs a script of this folder, which leaves no compiled files here. */
export const runPython = async (script: string, ...args: readonly (string | number)[]): Promise<void> =>
  await run(PYTHON, ['-B', '-W', 'ignore', join(import.meta.dirname, script), ...args.map(String)])
