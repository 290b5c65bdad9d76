import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

/** Shows a plate layer by layer. */
export const platePage = definePage({
  id: 'plate',
  path: '/plate',
  icon: 'M12 3 3 7.5l9 4.5 9-4.5Z M3 12l9 4.5 9-4.5 M3 16.5 12 21l9-4.5',
  order: 45,
  key: 'l',
  texts,
  content: { files: 'toolpath' }
})
