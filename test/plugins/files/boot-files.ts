import type { Test } from 'tap'
import files from '../../../plugins/files/index.js'
import daemon from '../../../presets/daemon/index.js'
import { pluginNames } from '../../../core/kernel/resolve-plugins.js'
import { createSession } from '../../../core/printer/index.js'
import { boot, type BootOptions, type Booted } from '../../helpers/boot-features.js'

const QUICK = { connectMs: 5_000, silenceMs: 3_000, retryMs: 20, idleMs: 200, earlyEndMs: 1_000 }
const preset = pluginNames(daemon.plugins).has('files') ? daemon : { ...daemon, plugins: [daemon.plugins, files] }

/** A service with printers whose cards answer soon, or are given up soon. */
export const bootFiles = (t: Test, options: BootOptions = {}): Promise<Booted> => boot(t, {
  preset,
  ...options,
  dependencies: {
    createSession: (config, deps) => createSession(config, { ...deps, timeouts: { card: QUICK } }),
    ...options.dependencies
  }
})

/** A request body with one file in it. */
export function formOf (name: string, content: Buffer | string, field = 'myFile') {
  const boundary = 'x-prnd-test-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n'
  return {
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
  }
}
