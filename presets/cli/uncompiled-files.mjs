// Files for browsers and the built-in network are not compiled, neither by the build nor by the tests.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Copies the folders `page` and `network` of all plugins. */
export function copyUncompiledFiles (root, target) {
  for (const path of readdirSync(join(root, 'plugins'), { recursive: true })) {
    if (!/[/\\](page|network)$/.test(path)) continue
    cpSync(join(root, 'plugins', path), join(target, 'plugins', path), { recursive: true })
  }
}
