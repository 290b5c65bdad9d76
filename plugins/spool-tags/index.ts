import { definePlugin } from '../../core/index.js'
import type {} from '../filament/index.js' // the service filaments
import type {} from '../spools/index.js' // the service spools
import { tagsPage } from './pages.js'
import routes from './routes.js'

/** Tags of spools in open formats. Those of Bambu Lab are read by printers only, as they are encrypted and signed. */
export default definePlugin({
  name: 'spool-tags',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'NFC tags of spools in open formats: OpenSpool, OpenTag3D, OpenPrintTag',
  needs: ['filament', 'http', 'spools'],
  uses: ['network'],
  contributes: { routes, pages: [tagsPage] }
})
