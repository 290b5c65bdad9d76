import { definePlugin } from '../../core/index.js'
import routes from './routes.js'
import tools from './tools.js'

export default definePlugin({
  name: 'print',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Pause, resume, stop, skip, speed, G-code, raw requests',
  uses: ['commands'],
  contributes: { routes, tools }
})
