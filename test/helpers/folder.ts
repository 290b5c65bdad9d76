import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A place within the project, where its packages are found and git does not look. */
export const PROJECT = join(process.cwd(), 'node_modules', '.cache')

/** What a folder holds: a file is its content, a folder its entries. */
export interface FolderContent { [name: string]: string | Buffer | FolderContent }

/**
 * A folder that goes when everything that the test began after it has ended. The library's own kind (`t.testdir`) is
 * removed before that, while services still write into it, so the linter refuses it.
 * @param parent `PROJECT` where what it holds imports packages.
 */
export function testFolder (t: Pick<Test, 'teardown'>, content: FolderContent = {}, parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'prnd-test-'))
  t.teardown(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
  fill(path, content)
  return path
}

function fill (folder: string, content: FolderContent): void {
  for (const [name, entry] of Object.entries(content)) {
    const path = join(folder, name)
    if (typeof entry === 'string' || Buffer.isBuffer(entry)) {
      writeFileSync(path, entry)
    } else {
      mkdirSync(path)
      fill(path, entry)
    }
  }
}
