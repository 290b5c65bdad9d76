import { Type } from 'typebox'
import { defineLiveTopic, definePlugin, defineRuleEvent, type Plugin, type Rights } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import type {} from '../history/index.js' // its service, where that plugin is loaded
import { why as queueWhy } from '../queue/index.js'
import type {} from '../spools/index.js' // the service spools
import { callerOf } from './acceptor.js'
import type { DryingsOptions, Outlook } from './dryings-options.js'
import { Dryings } from './dryings.js'
import { NoDryingPlan } from './errors.js'
import { migrations } from './migrations.js'
import { dryingPage } from './pages.js'
import routes from './routes.js'
import { createStore, type Store } from './store.js'
import type { PlanRow, RunRow } from './tables.js'
import { texts } from './texts/index.js'
import tools from './tools.js'

/** Plans that dry units by themselves. */
export interface Drying {
  readonly store: Store
  /** @throws PRN_ERR_NO_SUCH_DRYING_PLAN */
  plan (id: string): Promise<PlanRow>
  outlook (): Promise<Outlook>
  /** Call after a plan was changed. */
  changed (): void
}

declare module 'prnd' {
  interface Services { drying: Drying }
  interface Events {
    /** Plans or dryings changed. */
    'drying:changed': []
    /** A drying by a plan ended. */
    'drying:ended': [run: RunRow]
  }
}

const topic = defineLiveTopic({
  name: 'drying',
  description: 'Drying plans or what they do changed: read `GET /api/drying_plans` again',
  every: true,
  watch: ({ events, printers }, send) => events.on('drying:changed', () => {
    for (const printer of printers.names) send(printer, {})
  })
})

const fieldsOf = ({ plan_name: plan, unit, celsius, hours, materials, state }: RunRow) =>
  ({ plan, unit, celsius, hours, materials, state })

const occurrenceOf = (run: RunRow) =>
  ({ printer: run.printer, fields: fieldsOf(run), key: run.id, at: run.ended_at ?? run.began_at })

/** A drying by a plan ended; those that people begin are seen in the reports of the printer. */
const dryingEnded = defineRuleEvent({
  name: 'drying.ended',
  named: { en: 'a planned drying ends', de: 'eine geplante Trocknung endet', zh: '计划烘干结束' },
  perPrinter: true,
  fields: Type.Object({
    plan: Type.String({ description: 'Name of the plan' }),
    unit: Type.Integer({ description: 'Id of the AMS unit' }),
    celsius: Type.Integer({ description: '°C' }),
    hours: Type.Integer({ description: 'As planned' }),
    materials: Type.String({ description: 'Separated by commas' }),
    state: Type.String({ description: '`finished`, `stopped` or `failed`' })
  }),
  fieldNames: {
    plan: { en: 'plan', de: 'Plan', zh: '计划' },
    unit: { en: 'unit', de: 'Einheit', zh: '单元' },
    celsius: { en: 'temperature', de: 'Temperatur', zh: '温度' },
    hours: { en: 'hours', de: 'Stunden', zh: '小时' },
    materials: { en: 'materials', de: 'Materialien', zh: '材料' },
    state: { en: 'result', de: 'Ergebnis', zh: '结果' }
  },
  watch: ({ events }, happened) => events.on('drying:ended', run => happened(occurrenceOf(run))),
  past: async ({ services }, since) =>
    (await services.drying.store.runsSince(since)).filter(({ ended_at: at }) => at !== null).map(occurrenceOf)
})

/** Whoever switched a plan off knows that it ended. */
const isUnplanned = ({ state, reason }: RunRow): boolean => state !== 'finished' && reason !== 'withdrawn'

const SERIOUS: readonly string[] = ['unit_fault', 'unclear', 'goes_on', 'lost']

/** The words of a reason; what the printer said has none, and stays as it is. */
const wordsOf = (reason: string): string => (texts.en as Record<string, string>)[`drying.why.${reason}`] ?? reason

const findingOf = ({ plan_name: plan, unit, reason }: RunRow): Finding => ({
  type: 'drying_ended',
  severity: SERIOUS.includes(reason) ? 'high' : 'medium',
  payload: { plan, unit, reason: `The drying of AMS unit ${unit} by '${plan}' did not go as planned: ${wordsOf(reason)}` }
})

const TIMING = { turnMs: 30_000, graceMs: 30_000 }

/** @param timing overrides the default times in tests */
export const dryingWith = (timing: Partial<Pick<DryingsOptions, 'turnMs' | 'graceMs'>> = {}): Plugin => definePlugin({
  name: 'drying',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Plans that dry AMS units by themselves, by humidity, days and time of day',
  needs: ['database', 'filament', 'http', 'live', 'spools'],
  leavesWithNeeds: true,
  optional: ['alerts', 'history', 'queue'],
  provides: ['drying'],
  uses: ['commands'],
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [dryingPage], ruleEvents: [dryingEnded] },
  setup (context) {
    const { services: { database, http, spools }, optional: { alerts, history, queue }, kernel } = context
    const { printers, events, log, signal } = context
    const store = createStore(database)
    const changed = () => { events.emit('drying:changed') }
    const alarm = (run: RunRow) => { alerts?.raise(run.printer, findingOf(run)) }
    const call = async (name: 'filament.startDryer' | 'filament.stopDryer', input: object, printer: string, caller?: Rights): Promise<void> => {
      const operation = kernel.operation(name)
      if (!operation) throw new Error(`there is no operation ${name}`)
      await kernel.call(operation, input as never, { printer, surface: 'drying', signal, ...caller && { caller } })
    }
    const dryings = new Dryings({
      ...TIMING,
      ...timing,
      kernel,
      store,
      spools,
      queue,
      history,
      changed,
      log,
      alarm,
      caller: (plan, printer) =>
        callerOf(plan, printer, { people: http.access.people, trustLan: kernel.config.api.trustLan }),
      ended: run => {
        events.emit('drying:ended', run)
        if (isUnplanned(run)) alarm(run)
        queue?.runner.wake()
      },
      commands: {
        start: (printer, unit, { celsius, hours, rotate }, caller) => call('filament.startDryer',
          { ams_id: unit, target_temp: celsius, duration_hours: hours, rotate_tray: rotate }, printer, caller),
        // As the service itself: whoever has lost their rights must not keep a unit from being stopped.
        stop: (printer, unit) => call('filament.stopDryer', { ams_id: unit }, printer)
      }
    })
    queue?.heldBackBy(({ config: { serial } }) => {
      const run = dryings.holding(serial)
      return run && queueWhy('dries_by_plan', { unit: run.unit, plan: run.plan_name })
    })
    context.provide('drying', {
      store,
      async plan (id) {
        const found = await store.plan(id)
        if (!found) throw new NoDryingPlan(id)
        return found
      },
      outlook: () => dryings.outlook(),
      changed () {
        changed()
        dryings.wake()
      }
    })
    context.onReady(() => {
      printers.eachLocal(session => session.events.on('state', () => dryings.seen(session)))
      dryings.wake()
    })
    context.onClose(() => dryings.close())
  }
})

export default dryingWith()
