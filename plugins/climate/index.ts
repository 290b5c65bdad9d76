import { definePlugin } from '../../core/index.js'
import type { setChamberTarget, setLight } from './operations.js'
import routes from './routes.js'
import tools from './tools.js'

export { hasFan } from './fans.js'
export { heatBed, heatChamber } from './operations.js'
export { FANS, type Fan } from './schemas.js'

declare module 'prnd' {
  interface Operations {
    'climate.setChamberTarget': typeof setChamberTarget
    'climate.setLight': typeof setLight
  }
}

export default definePlugin({
  name: 'climate',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Heaters, fans, light, active tool',
  uses: ['commands'],
  contributes: { routes, tools }
})
