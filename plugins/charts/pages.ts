import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { definePage } from '../../core/index.js'
import { alertTexts } from '../alerts/index.js'
import { texts } from './texts/index.js'

/** The module of uPlot for browsers is beside its entry. */
const uplot = join(dirname(createRequire(import.meta.url).resolve('uplot')), 'uPlot.esm.js')

/** The questions in the navigation; the dashboard of one printer at `/api/charts` stands alone. */
export const chartsPage = definePage({
  id: 'charts',
  path: '/charts',
  icon: 'chart',
  order: 60,
  key: 'c',
  texts: {
    en: { ...texts.en, ...alertTexts.en }, de: { ...texts.de, ...alertTexts.de }, zh: { ...texts.zh, ...alertTexts.zh }
  },
  content: { files: 'charts', styles: ['charts.css'], modules: { uplot } }
})
