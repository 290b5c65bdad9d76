import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

/** The questions in the navigation; the dashboard of one printer at `/api/charts` stands alone. */
export const chartsPage = definePage({
  id: 'charts',
  path: '/charts',
  icon: 'chart',
  order: 60,
  key: 'c',
  texts,
  content: { files: 'charts', styles: ['charts.css'] }
})
