import { definePage } from '../../core/index.js'
import { chartStyleHash } from './page-assets.js'
import { texts } from './texts/index.js'

/** The dashboard in the navigation; the page at `/api/charts` stands alone. */
export const chartsPage = definePage({
  id: 'charts',
  path: '/charts',
  icon: 'chart',
  order: 60,
  key: 'c',
  texts,
  content: {
    files: 'charts',
    html: 'charts.html',
    script: 'charts.js',
    styles: ['charts.css'],
    allow: { 'style-src': [chartStyleHash] }
  }
})
