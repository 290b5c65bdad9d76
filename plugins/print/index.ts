import { definePlugin } from '../../core/index.js'
import type { pausePrint } from './operations.js'
import routes from './routes.js'
import tools from './tools.js'

export { SPEEDS } from './commands.js'

declare module 'prnd' {
  interface Operations { 'print.pause': typeof pausePrint }
}

export default definePlugin({
  name: 'print',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Pause, resume, stop, skip, speed, G-code, raw requests',
  optional: ['projects'],
  uses: ['commands'],
  contributes: { routes, tools }
})
