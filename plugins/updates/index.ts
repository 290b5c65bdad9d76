import { Type } from 'typebox'
import { definePlugin, route, VERSION } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import { changelogOf, readUpdates, switchUpdates } from './operations.js'
import { askRegistry, registryAt } from './registry.js'
import { migrations } from './tables.js'
import { UpdateCheck } from './update-check.js'

/** What the operations and the page need. */
export interface Updates extends Pick<UpdateCheck, 'settings' | 'look' | 'known'> { readonly registry: URL }

declare module 'prnd' {
  interface Services { updates: Updates }
}

const LOOK_EVERY_MS = 600_000

const Options = Type.Object({
  check: Type.Optional(Type.Boolean({ description: 'Ask once a day for new versions; without it people choose on the page of settings, where it is off' })),
  registry: Type.String({
    default: 'https://registry.npmjs.org', maxLength: 500, description: 'The npm registry that is asked: https, or http on this machine'
  })
})

/** Says when there is a newer version, if somebody wants the service to ask. It downloads and installs nothing. */
export default definePlugin({
  name: 'updates',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Says when there is a newer version of prnd; asks nobody unless it is switched on',
  needs: ['database', 'http'],
  optional: ['alerts'],
  provides: ['updates'],
  uses: ['network', 'disk'],
  options: Options,
  contributes: {
    migrations,
    routes: [
      route(readUpdates, { method: 'GET', path: '/updates', tag: 'System' }),
      route(switchUpdates, { method: 'PATCH', path: '/updates', tag: 'System' })
    ]
  },
  setup ({ kernel, log, options, optional: { alerts }, services: { database }, printers, provide, onReady, onClose }) {
    const registry = registryAt(options.registry)
    const check = new UpdateCheck({
      database,
      now: kernel.now,
      random: Math.random,
      running: VERSION,
      registry,
      inFile: options.check,
      ask: () => askRegistry(registry, kernel.signal),
      connect: () => kernel.connections.add({
        name: 'updates', plugin: 'updates', what: 'the registry that is asked for new versions', address: registry.href
      }),
      signal: kernel.signal,
      canTell: () => alerts !== undefined && printers.names.length > 0,
      tell (version) {
        const [printer = ''] = printers.names
        const reason = `Version ${version} of prnd is available; this service runs ${VERSION}. The page of settings says how to update.`
        alerts?.raise(printer, { type: 'new_version', severity: 'low', payload: { version, reason, url: changelogOf(version) } })
      }
    })
    provide('updates', {
      settings: check.settings,
      registry,
      known: () => check.known(),
      async look () {
        await check.settled() // it may have begun before something was changed
        await check.look()
      }
    })
    const look = () => {
      check.look().catch((error: Error) => log.debug({ err: error }, 'new versions cannot be asked for'))
    }
    const timer = setInterval(look, LOOK_EVERY_MS).unref()
    onReady(look)
    onClose(async () => {
      clearInterval(timer)
      await check.settled()
    })
  }
})
