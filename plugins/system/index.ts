import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore, type Contributions, type JsonStore, type Kernel } from '../../core/index.js'
import { keepJournal } from './journal.js'
import { splitValid } from './preference-limits.js'
import routes from './routes.js'
import tools from './tools.js'

declare module 'prnd' {
  interface Services {
    system: {
      /** Any JSON value by `<printer>:<key>`. */
      readonly preferences: JsonStore<Readonly<Record<string, unknown>>>
      /** Running stream servers by printer. */
      streams (baseUrl: string): Readonly<Record<string, { readonly port: number, readonly url: string }>>
    }
  }
  interface Contributions {
    /** Stream servers, listed in the server info; `baseUrl` is the service's address as seen by the caller. */
    streams: { list (baseUrl: string): Readonly<Record<string, { readonly port: number, readonly url: string }>> }
  }
}

/** Streams of one source; none when it fails. */
function streamsOf ({ pluginFaults, originOf }: Kernel, source: Contributions['streams'], baseUrl: string) {
  return pluginFaults.guard(originOf(source), 'list of streams', '').run(() => source.list(baseUrl)) ?? {}
}

async function openPreferences (dataDir: string, warn: (message: string) => void) {
  const store = await openJsonStore(join(dataDir, 'user_prefs.json'), {
    schema: Type.Record(Type.String(), Type.Unknown()),
    initial: {} as Readonly<Record<string, unknown>>,
    warn,
    compact: true
  })
  const { valid, invalid } = splitValid(store.get())
  if (invalid.length > 0) {
    warn(`${store.path}: ${invalid.length} preferences are too large and are removed: ${invalid.join(', ').slice(0, LONGEST_LIST)}`)
    await store.set(valid)
  }
  return store
}
const LONGEST_LIST = 200

export default definePlugin({
  name: 'system',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Server info, printers, sessions, log, preferences',
  provides: ['system'],
  uses: ['commands', 'disk'],
  contributes: { routes, tools },
  async setup ({ kernel, log, provide, contributed, onClose }) {
    const preferences = await openPreferences(kernel.dataDir, message => log.error(message))
    onClose(preferences.settled)
    onClose(keepJournal(kernel))
    provide('system', {
      preferences,
      streams: baseUrl =>
        Object.assign({}, ...contributed('streams').map(source => streamsOf(kernel, source, baseUrl)))
    })
  }
})
