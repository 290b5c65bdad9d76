import { definePlugin } from '../../core/index.js'
import type {} from '../plate-change/index.js' // the service plateChange, where that plugin is loaded
import { why as queueWhy } from '../queue/index.js'
import { Motion } from './motion.js'
import routes from './routes.js'
import tools from './tools.js'

declare module 'prnd' {
  interface Services { motion: Motion }
}

const MINUTE_MS = 60_000

/** Moves, homing and feeding by hand, each with a person beside the printer. */
export default definePlugin({
  name: 'motion',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Move, home and extrude by hand, with guards',
  optional: ['plateChange', 'queue'],
  provides: ['motion'],
  uses: ['commands'],
  contributes: { routes, tools },
  setup ({ kernel, log, printers, optional, provide, onReady, onClose }) {
    const motion = new Motion({
      now: kernel.now,
      log,
      steady: () => performance.now(),
      clearer: () => optional.plateChange?.clearer,
      queue: () => optional.queue
    })
    provide('motion', motion)
    onReady(() => {
      printers.eachLocal(session => session.events.on('state', () => motion.see(session)))
      if (!optional.queue) return
      onClose(optional.queue.heldBackBy(({ config: { serial } }) => {
        const left = motion.holds.nearMs(serial)
        return left > 0 ? queueWhy('moved_by_hand', { minutes: Math.ceil(left / MINUTE_MS) }) : undefined
      }))
    })
  }
})
