import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { definePreset } from '../../core/index.js'
import daemon from '../../presets/daemon/index.js'
import { boot } from '../helpers/boot.js'
import { freePort } from '../helpers/ports.js'
import fixtures from './fixtures.js'

/** The suite for this revision needs a newer Node than the product: both are installed beside the project. */
const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'prnd-conformance', 'node_modules')
const NODE = join(PACKAGES, 'node', 'bin', 'node')
const SUITE = join(PACKAGES, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const options = {
  skip: existsSync(NODE) && existsSync(SUITE) ? false : 'the suite for 2026-07-28 is not installed (.ci/run installs it)'
}

const REVISION = '2026-07-28'
const RUN_WITHIN_MS = 100_000

/** Run by the suite, but no part of the revision: the extension of tasks, and what is still discussed. */
const UNSCORED = /^tasks-|^json-schema-2020-12$|^http-custom-header-server-validation$/

interface Check { readonly id: string, readonly status: string, readonly errorMessage?: string }

/** @returns what it found, by scenario; its exit code says no more */
async function runSuite (url: string, folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const args = [SUITE, 'server', '--url', url, '--requirements', REVISION, '--output-dir', folder]
  await new Promise<void>((resolve, reject) => {
    execFile(NODE, args, { timeout: RUN_WITHIN_MS, maxBuffer: 64 * 1024 * 1024 }, error => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve()
    })
  })
  const found = new Map<string, readonly Check[]>()
  for (const entry of await readdir(folder)) {
    const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    found.set(name, JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')) as Check[])
  }
  return found
}

t.test('every scenario of revision 2026-07-28 passes', options, async t => {
  const { kernel } = await boot(t, {
    models: [],
    preset: definePreset({ name: 'daemon', plugins: [daemon.plugins, fixtures] }),
    listen: true,
    config: { api: { host: '127.0.0.1' }, ports: { preferred: await freePort() } }
  })
  const results = await runSuite(`http://localhost:${kernel.apiPort}/mcp`, join(kernel.dataDir, 'results'))
  const scored = [...results].filter(([name]) => !UNSCORED.test(name))
  t.ok(scored.length >= 30, `${scored.length} scenarios`)
  const failed = scored.map(([name, checks]) => ({ name, failures: checks.filter(({ status }) => status === 'FAILURE') }))
    .filter(({ failures }) => failures.length > 0)
  t.same(failed, [])
  for (const [name, checks] of scored) {
    for (const { id, status, errorMessage } of checks) {
      t.not(status, 'WARNING', `${name}: ${id}: ${errorMessage}`)
    }
  }
})
