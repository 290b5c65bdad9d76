import { definePlugin } from '../../core/index.js'
import { printersPage } from './pages.js'
import { routes } from './routes.js'

/** Setting the service up in the browser. */
export default definePlugin({
  name: 'setup',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Setting up in the browser: the page /printers',
  needs: ['http', 'management'],
  uses: ['network', 'disk'],
  contributes: { pages: [printersPage], routes },
  setup () {}
})
