import { Type } from 'typebox'
import { definePlugin, type InputOf, type Kernel, type Operations, type PrinterSession } from '../../core/index.js'
import type {} from '../external-chamber/index.js'
import { effectsOf, NOTHING_SEEN, see, type Effect } from './effects.js'

declare module 'prnd' {
  interface Events {
    /** A new job began: counters per job are reset. */
    'automation:job-begins': [session: PrinterSession]
  }
}

const On = (description: string) => Type.Boolean({ default: true, description })

const Options = Type.Object({
  heaterOffAtEnd: On('An external chamber heater is set to 0 when a job ends'),
  lightOffAtEnd: On('The light goes off when a job ends'),
  jobBegins: On('The times per job state begin anew with a job'),
  lightOnAtStart: On('The light goes on when a job runs'),
  doorLight: On('The light follows the chamber door, where there is a sensor')
})

type Act = (kernel: Kernel, session: PrinterSession) => Promise<unknown>

/** By name, because these operations belong to another plugin. */
const calling = <Name extends keyof Operations>(name: Name, input: InputOf<Operations[Name]>): Act =>
  async (kernel, session) => {
    const operation = kernel.operation(name)
    if (operation) await kernel.call(operation, input, { printer: session.name, signal: session.signal })
  }

const ACTS: Readonly<Record<Exclude<Effect, 'job-begins'>, Act>> = {
  'chamber-off': calling('climate.setChamberTarget', { celsius: 0 }),
  'light-on': calling('climate.setLight', { on: true }),
  'light-off': calling('climate.setLight', { on: false })
}

/** Automates routine actions when a printer's state changes. */
export default definePlugin({
  name: 'automation',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Light and heater follow the job and the door',
  needs: ['climate', 'external-chamber'],
  uses: ['commands'],
  options: Options,
  setup ({ kernel, log, options, printers, services }) {
    function act (session: PrinterSession, effect: Effect): void {
      log.info({ printer: session.name, effect }, 'automation')
      if (effect === 'job-begins') return kernel.events.emit('automation:job-begins', session)
      ACTS[effect](kernel, session)
        .catch(error => log.warn({ err: error, printer: session.name, effect }, 'automation failed'))
    }

    printers.eachLocal(session => {
      let seen = NOTHING_SEEN
      return session.events.on('state', state => {
        const before = seen
        seen = see(before, state)
        const heater = services.externalChamber.serves(session)
        for (const effect of effectsOf(before, seen, state, options, heater)) act(session, effect)
      })
    })
  }
})
