import { Type } from 'typebox'
import { defineLiveTopic, definePlugin, defineRuleEvent, type Plugin } from '../../core/index.js'
import type {} from '../history/index.js' // its service, where that plugin is loaded
import { why as queueWhy } from '../queue/index.js'
import type {} from '../spools/index.js' // the service spools
import { Dryings, type DryingsOptions, type Outlook } from './dryings.js'
import { NoDryingPlan } from './errors.js'
import { migrations } from './migrations.js'
import { dryingPage } from './pages.js'
import routes from './routes.js'
import { createStore, type Store } from './store.js'
import type { PlanRow, RunRow } from './tables.js'
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

const TIMING = { turnMs: 30_000, graceMs: 30_000 }

/** @param timing overrides the default times in tests */
export const dryingWith = (timing: Partial<Pick<DryingsOptions, 'turnMs' | 'graceMs'>> = {}): Plugin => definePlugin({
  name: 'drying',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Plans that dry AMS units by themselves, by humidity, days and time of day',
  needs: ['database', 'filament', 'http', 'live', 'spools'],
  optional: ['history', 'queue'],
  provides: ['drying'],
  uses: ['commands'],
  contributes: { routes, tools, migrations, liveTopics: [topic], pages: [dryingPage], ruleEvents: [dryingEnded] },
  setup (context) {
    const { services: { database, spools }, optional: { history, queue }, kernel } = context
    const { printers, events, log, signal } = context
    const store = createStore(database)
    const changed = () => { events.emit('drying:changed') }
    const call = async (name: 'filament.startDryer' | 'filament.stopDryer', input: object, printer: string): Promise<void> => {
      const operation = kernel.operation(name)
      if (operation) await kernel.call(operation, input as never, { printer, surface: 'drying', signal })
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
      ended: run => {
        events.emit('drying:ended', run)
        queue?.runner.wake()
      },
      commands: {
        start: (printer, unit, { celsius, hours, rotate }) => call('filament.startDryer',
          { ams_id: unit, target_temp: celsius, duration_hours: hours, rotate_tray: rotate }, printer),
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
