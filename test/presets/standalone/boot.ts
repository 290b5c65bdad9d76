import type { Test } from 'tap'
import standalone from '../../../presets/standalone/index.js'
import { createSession } from '../../../core/printer/index.js'
import { boot, type BootOptions, type Booted } from '../../helpers/boot.js'

const QUICK = { connectMs: 5_000, silenceMs: 3_000, retryMs: 20, idleMs: 200, earlyEndMs: 1_000 }

export interface App extends Booted {
  /** Calls a route by its name. */
  get (path: string, params?: Record<string, string | number>): ReturnType<Booted['http']>
  /** Calls a route and gives the commands that the printer received for it, without their sequence ids. */
  wire (path: string, params?: Record<string, string | number>): Promise<Record<string, unknown>[]>
}

/** The standalone application over one virtual printer. */
export async function bootApp (t: Test, options: BootOptions = {}): Promise<App> {
  const booted = await boot(t, {
    preset: standalone,
    models: [{ model: 'P1S', reportEveryMs: 100, sdCard: { samples: true } }],
    ...options,
    dependencies: {
      createSession: (config, deps) => createSession(config, { ...deps, timeouts: { card: QUICK } }),
      ...options.dependencies
    }
  })
  const get: App['get'] = (path, params) => booted.http('GET', `/api/${path}`, params)
  return Object.assign(Object.create(booted) as Booted, {
    get,
    async wire (path: string, params?: Record<string, string | number>) {
      const before = booted.printer.requests.length
      const { status, text } = await get(path, params)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      return booted.printer.requests.slice(before).map(({ body }) => {
        const { sequence_id: _id, ...rest } = body as Record<string, unknown>
        return rest
      })
    }
  })
}
