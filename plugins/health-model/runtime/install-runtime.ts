import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runNpm, type NpmOptions } from '../../../core/index.js'
import { isNeeded, RUNTIMES } from './runtime-packages.js'

/** Deletes files for other platforms, which are most of the packages. */
async function prune (folder: string): Promise<void> {
  for (const { name } of RUNTIMES) {
    const root = join(folder, 'node_modules', name)
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && !isNeeded(path)) await rm(path)
    }
  }
}

/**
 * Installs both runtimes into a folder, without install scripts: one would download files from elsewhere. An installed
 * one stays until the new one is complete.
 * @throws Error with the reason in words
 */
export async function installRuntime (folder: string, options: NpmOptions = {}): Promise<void> {
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    await writeFile(join(fresh, 'package.json'), '{ "private": true }\n')
    const packages = RUNTIMES.map(({ name, version }) => `${name}@${version}`)
    await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], fresh,
      'npm could not install the runtime; nothing was changed', options)
    await prune(fresh)
    options.signal?.throwIfAborted()
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
