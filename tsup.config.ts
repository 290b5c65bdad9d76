import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'tsup'
import { copyUncompiledFiles } from './presets/cli/uncompiled-files.mjs'

const folders = (parent: string) => readdirSync(parent, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && existsSync(`${parent}/${entry.name}/index.ts`)).map(entry => entry.name)

/** One entry for each door of the package; code that several doors share is split into chunks. */
const entry = Object.fromEntries([
  ['core/index', 'core/index.ts'],
  ...folders('plugins').map(name => [`plugins/${name}/index`, `plugins/${name}/index.ts`]),
  ...folders('presets').filter(name => name !== 'cli')
    .map(name => [`presets/${name}/index`, `presets/${name}/index.ts`]),
  ['presets/cli/main', 'presets/cli/main.ts'],
  ['plugins/database/sqlite-thread', 'plugins/database/sqlite-thread.ts'], // started as a thread
  ['plugins/health/worker', 'plugins/health/worker.ts'], // started as a thread, by its name
  ['plugins/toolpath/worker', 'plugins/toolpath/worker.ts'], // started as a thread, by its name
  ['plugins/slicing/model-thread', 'plugins/slicing/model-thread.ts'], // started as a thread, by its name
  ['plugins/health-model/model-process', 'plugins/health-model/runtime/model-process.ts'], // started as a process
  ['plugins/camera/package-process', 'plugins/camera/decoder/package-process.ts'] // started as a process
])

export default defineConfig({
  entry,
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  noExternal: ['typebox', 'kysely', 'culori'], // hundreds of small modules each, slow to read
  silent: true,
  onSuccess: async () => copyUncompiledFiles('.', 'dist'),
  esbuildOptions (options) { options.chunkNames = 'chunks/[name]-[hash]' }
})
