// Files for browsers are not compiled, neither by the build nor by the tests.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Copies the `page` folders of all plugins. */
export function copyPageFiles (root, target) {
  for (const path of readdirSync(join(root, 'plugins'), { recursive: true })) {
    if (/[/\\]page$/.test(path)) cpSync(join(root, 'plugins', path), join(target, 'plugins', path), { recursive: true })
  }
}
