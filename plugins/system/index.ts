import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore, type Contributions, type JsonStore, type Kernel } from '../../core/index.js'
import routes from './routes.js'
import tools from './tools.js'

declare module 'prn' {
  interface Services {
    system: {
      /** Any JSON value by `<printer>:<key>`. */
      readonly preferences: JsonStore<Record<string, unknown>>
      /** Running stream servers by printer. */
      streams (): Readonly<Record<string, { readonly port: number, readonly url: string }>>
    }
  }
  interface Contributions {
    /** Who runs stream servers, for the server info. */
    streams: { list (): Readonly<Record<string, { readonly port: number, readonly url: string }>> }
  }
}

/** Of one who runs some; of one who fails, none. */
function streamsOf ({ isolation, originOf }: Kernel, source: Contributions['streams']) {
  const part = isolation.part(originOf(source), 'list of streams', '')
  if (part.cut) return {}
  try {
    return source.list()
  } catch (error) {
    part.failed(error)
    return {}
  }
}

export default definePlugin({
  name: 'system',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Server info, printers, sessions, log, preferences',
  provides: ['system'],
  uses: ['commands', 'disk'],
  contributes: { routes, tools },
  async setup ({ kernel, log, provide, contributed, onClose }) {
    const preferences = await openJsonStore(join(kernel.dataDir, 'user_prefs.json'), {
      schema: Type.Record(Type.String(), Type.Unknown()),
      initial: {} as Record<string, unknown>,
      warn: message => log.error(message)
    })
    onClose(preferences.settled)
    provide('system', {
      preferences,
      streams: () => Object.assign({}, ...contributed('streams').map(source => streamsOf(kernel, source)))
    })
  }
})
