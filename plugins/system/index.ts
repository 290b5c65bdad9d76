import { join } from 'node:path'
import { Type } from 'typebox'
import { definePlugin, openJsonStore, type JsonStore } from '../../core/index.js'
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

export default definePlugin({
  name: 'system',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Server info, printers, sessions, log, preferences',
  provides: ['system'],
  uses: ['commands', 'disk'],
  contributes: { routes, tools },
  async setup ({ kernel, log, provide, contributed }) {
    const preferences = await openJsonStore(join(kernel.dataDir, 'user_prefs.json'), {
      schema: Type.Record(Type.String(), Type.Unknown()),
      initial: {} as Record<string, unknown>,
      warn: message => log.error(message)
    })
    provide('system', {
      preferences,
      streams: () => Object.assign({}, ...contributed('streams').map(({ list }) => list()))
    })
  }
})
