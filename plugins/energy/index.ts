import { definePage, definePlugin, type Plugin } from '../../core/index.js'
import type {} from '../alerts/index.js' // the service alerts, where that plugin is loaded
import type {} from '../broker/index.js'
import type {} from '../files/index.js'
import type { Energy } from './energy.js'
import { migrations } from './migrations.js'
import { openEnergy, type Timing } from './open-energy.js'
import { readEnergy } from './operations.js'
import type { PlugEvent } from './plug-event.js'
import routes from './routes.js'
import { ruleEvents, ruleNames, ruleValues } from './rules.js'
import { texts } from './texts/index.js'
import tools from './tools.js'

export type { Energy } from './energy.js'
export type { PlugEvent } from './plug-event.js'
export type { PrintsEnergy } from './use.js'

declare module 'prnd' {
  interface Services { energy: Energy }
  interface Events {
    /** A plug was switched, does not answer, or delivers power that it should not. */
    'energy:plug': [event: PlugEvent]
    /** The plug of a printer has said something, such as its power. */
    'energy:heard': [printer: string]
  }
}

const TIMING: Timing = { tickMs: 2_000, loadMs: 30_000, reportMs: 10_000, confirmMs: 10_000 }

const page = definePage({
  id: 'energy',
  path: '/energy',
  icon: 'M13 2.5 5 13.5h6L10 21.5 19 10h-6.5Z',
  order: 37,
  key: 'e',
  texts,
  operation: readEnergy,
  content: { files: 'energy' }
})

/** @param timing overrides the default times in tests */
export const energyWith = (timing: Partial<Timing> = {}): Plugin => definePlugin({
  name: 'energy',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Plugs of printers, their energy, and what a print costs',
  needs: ['database', 'history', 'queue', 'http', 'live'],
  leavesWithNeeds: true,
  optional: ['alerts', 'audit', 'broker', 'files'],
  provides: ['energy'],
  uses: ['network', 'disk'],
  contributes: { routes, tools, migrations, pages: [page], ruleValues, ruleEvents, ruleNames },
  async setup (context) {
    context.provide('energy', await openEnergy(context, { ...TIMING, ...timing }))
  }
})

export default energyWith()
