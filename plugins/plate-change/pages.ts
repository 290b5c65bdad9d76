import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

export const plateChangePage = definePage({
  id: 'plate-change',
  path: '/plate-change',
  icon: 'M3 18h13 M5 14v-4h7v4 M15 7h6 M18 4l3 3-3 3',
  order: 34,
  texts,
  content: { files: 'plate-change' }
})
