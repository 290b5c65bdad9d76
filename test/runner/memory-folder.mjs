// What tests write goes with them: in memory nothing waits for a disk.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 2 ** 30

/** Has this process, and those that it starts, keep temporary files in memory where the machine has room for that. */
export function useMemory (env = process.env) {
  if (env.TMPDIR !== undefined || !existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < ENOUGH_BYTES) return
  const folder = mkdtempSync(join(MEMORY, 'prnd-tests-'))
  chmodSync(folder, 0o711) // servers that run as somebody else have folders of their own in it
  // Left behind it would take memory until the machine starts anew.
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) process.once(signal, () => process.exit(code))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  env.TMPDIR = folder
}
