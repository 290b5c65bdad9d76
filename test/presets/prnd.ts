import { join } from 'node:path'
import type { Test } from 'tap'
import type { VirtualPrinter } from '../../plugins/emulator/index.js'
import { ROOT, finished, outside, run } from '../outside/installed.js'

export const CLI = join(ROOT, 'dist', 'presets', 'cli', 'main.js')

/** Runs a command to its end. */
export const prnd = (t: Test, args: readonly string[], env: Record<string, string> = {}) =>
  finished(t, [CLI, ...args], { env })

export const daemon = (t: Test, file: string, ...more: string[]) => run(t, [CLI, 'daemon', '-c', file, ...more])

/** Nothing listens there. */
export const off = { name: 'off', host: '127.0.0.1', serial: 'S1', accessCode: '12345678', ports: { mqtt: 1 } }

export const entryOf = ({ name, host, serial, accessCode, ports }: VirtualPrinter, more: object = {}) =>
  ({ name, host, serial, accessCode, ports: { mqtt: ports.mqtt }, ...more })

/** A folder with a configuration and, besides, a plugin that makes things difficult. */
export async function configured (t: Test, config: object, plugin?: string) {
  const plugins = plugin === undefined ? {} : { plugins: { './plugin.mjs': {} } }
  const folder = await outside(t, {
    'config.json': { dataDir: 'data', api: { host: '127.0.0.1' }, ...config, ...plugins },
    ...(plugin !== undefined && { 'plugin.mjs': plugin })
  })
  return { folder, file: join(folder, 'config.json') }
}

/** Tests beside each other: they mostly wait for processes to start. */
export const parallelIn = (t: Test) => (name: string, work: (t: Test) => Promise<void>) =>
  t.test(name, { buffered: true }, work)
