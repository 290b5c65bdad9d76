import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/**
 * An empty folder that goes when everything that the test began after it has ended. The library's own kind is removed
 * before that: whatever still writes then, writes into nothing or makes it anew.
 */
export function emptyFolder (t: Pick<Test, 'teardown'>): string {
  const path = mkdtempSync(join(tmpdir(), 'prn-test-'))
  t.teardown(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
  return path
}
