import { join } from 'node:path'
import { Type } from 'typebox'
import { defineLiveTopic, definePlugin, openJsonStore, Secret, secretOf } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../projects/index.js' // the service projects, where that plugin is loaded
import { createCounter } from './counter.js'
import { shortagesOf } from './uses.js'
import { createReporter } from './reporter.js'
import routes from './routes.js'
import { createSpools, createLocalKeeper, type Spools } from './service.js'
import { createSpoolman, createSpoolmanKeeper } from './spoolman.js'
import { placeOf, slotsOf } from './slots.js'
import { createStore } from './store.js'
import { migrations } from './tables.js'
import tools from './tools.js'

export type { Spools } from './service.js'
export type { Slot, Spool, Use } from './types.js'

declare module 'prnd' {
  interface Services { spools: Spools }
  interface Events {
    /** Spools, their places or their uses changed. */
    'spools:changed': []
  }
}

/** Oldest prints that are counted after a start. */
const CATCH_UP_MS = 14 * 24 * 3_600_000
/** A record still missing after this time was deleted. */
const GONE_MS = 10 * 60_000
const REFRESH_MS = 60_000
const TURN_MS = 5_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000

const topic = defineLiveTopic({
  name: 'spools',
  description: 'Spools, their places or their uses changed: read `GET /api/spools` again',
  every: true,
  watch: ({ events, printers }, send) => events.on('spools:changed', () => {
    for (const printer of printers.names) send(printer, {})
  })
})

const Since = Type.Object({ since: Type.Number() })

export default definePlugin({
  name: 'spools',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Spools: where they are, how much is left, and Spoolman',
  needs: ['database', 'history', 'http', 'live'],
  optional: ['alerts', 'projects'],
  provides: ['spools'],
  uses: ['disk', 'network'],
  contributes: { routes, tools, migrations, liveTopics: [topic] },
  options: Type.Object({
    spoolman: Type.Optional(Type.Object({
      url: Type.String({ pattern: '^https?://', description: 'Address of Spoolman, `http://host:7912`' }),
      token: Type.Optional(Secret('Sent as a bearer token, for a proxy that requires one')),
      tagField: Type.String({
        default: 'tag', minLength: 1, maxLength: 64, description: 'Extra field of spools with the number of their RFID tag'
      })
    }, { description: 'Manages the spools; uses by prints are reported to it' }))
  }),
  async setup ({
    options: { spoolman: address }, services: { database, history }, optional, kernel, log, printers, events, folder,
    signal, provide, onReady, onClose
  }) {
    const token = address?.token && await secretOf(address.token, 'plugins.spools.spoolman.token')
    if (token !== undefined) kernel.maskSecret(token)
    const begun = await openJsonStore(join(await folder(), 'begun.json'), {
      schema: Since, initial: { since: kernel.now() }, warn: message => log.warn(message)
    })
    await begun.set(begun.get())
    const { redact, now } = kernel
    const store = createStore(database)
    const spoolman = address && createSpoolman({ ...address, token, signal })
    const report = address && kernel.connections.add({
      name: 'spoolman',
      plugin: 'spools',
      what: 'Spoolman',
      address: address.url,
      check: async signal => await spoolman?.list(signal)
    })
    const keeper = spoolman && report ? createSpoolmanKeeper(spoolman, redact, report) : createLocalKeeper(store)
    const changed = () => { events.emit('spools:changed') }
    const { service, whereabouts, spoolOf } = createSpools({ kernel, store, keeper, changed })
    const counter = createCounter({ history, store, keeper, spools: service, whereabouts, now })
    const reporter = spoolman && createReporter({
      store,
      spoolman,
      redact,
      now,
      ended: ({ id, spool, state, problem }) => {
        if (state === 'done') log.debug({ use: id, spool }, 'a use was reported to Spoolman')
        else log.warn({ use: id, spool, problem }, 'a use was not counted by Spoolman')
        changed()
      }
    })
    provide('spools', service)

    optional.projects?.weighBy((session, tray) => {
      const slot = slotsOf(session).find(({ place }) => place === placeOf(tray, session))
      return slot && service.gramsIn(slot)
    })

    /** Ended prints that are not counted yet, with the time of their end, ms of the monotonic clock. */
    const ended = new Map<string, number>()
    const warned = new Set<string>()
    events.on('history:print', (printer, print) => {
      if (print.result !== 'running') {
        ended.set(print.id, performance.now())
        warned.delete(print.id)
        return wake()
      }
      if (warned.has(print.id) || print.filaments.length === 0) return
      warned.add(print.id)
      const slots = service.slots().filter(slot => slot.printer === printer)
      const short = shortagesOf(print.filaments, ({ place }) => {
        const slot = slots.find(known => known.place === place)
        const grams = slot && service.gramsIn(slot)
        return grams === undefined ? undefined : { spool: slot && spoolOf(slot), grams }
      })
      for (const { spool, place, material, neededGrams, leftGrams } of short) {
        optional.alerts?.raise(printer, {
          type: 'spool_low',
          severity: 'medium',
          payload: {
            place,
            material,
            spool: spool?.name ?? '',
            needed_g: Math.round(neededGrams),
            left_g: Math.round(leftGrams),
            reason: `the print takes ${Math.round(neededGrams)} g, about ${Math.round(leftGrams)} g are left`
          }
        })
      }
    })

    let isCaughtUp = false
    let failures = 0
    let refreshedAt = -Infinity
    let turn: Promise<void> | undefined
    let timer: NodeJS.Timeout | undefined

    async function work (): Promise<void> {
      if (printers.names.length === 0 && ended.size === 0) return // without printers the database need not be opened
      if (performance.now() - refreshedAt > REFRESH_MS) {
        await service.refresh(signal)
        refreshedAt = performance.now()
        changed()
      }
      if (!isCaughtUp) {
        const from = Math.max(begun.get().since, kernel.now() - CATCH_UP_MS)
        for (const id of await counter.catchUp(from, signal)) ended.set(id, performance.now())
      }
      isCaughtUp = true
      for (const [id, since] of ended) {
        const isCounted = await counter.ended(id)
        const isGone = isCounted === undefined && performance.now() - since > GONE_MS
        if (isCounted !== true && !isGone) continue
        ended.delete(id)
        changed()
      }
      await reporter?.run(signal)
    }

    /** One turn at a time; after failures the next is delayed, by up to five minutes. */
    function wake (afterMs = 0): void {
      clearTimeout(timer)
      if (signal.aborted) return
      timer = setTimeout(() => {
        turn ??= work().then(() => { failures = 0 }, (error: Error) => {
          if (signal.aborted) return
          if (failures++ === 0) log.warn({ err: error }, 'spools cannot be counted now; retrying')
        }).finally(() => {
          turn = undefined
          wake(failures === 0 ? TURN_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)))
        })
      }, afterMs).unref()
    }

    onReady(() => wake())
    onClose(async () => {
      clearTimeout(timer)
      await turn
    })
  }
})
