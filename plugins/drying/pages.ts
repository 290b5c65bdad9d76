import { definePage } from '../../core/index.js'
import { listDryingPlans } from './operations.js'
import { texts } from './texts/index.js'

export const dryingPage = definePage({
  id: 'drying',
  path: '/spools/drying',
  icon: 'M12 3c3.5 4.2 6 7.2 6 10.5a6 6 0 0 1-12 0C6 10.2 8.5 7.2 12 3z M9.5 14a2.5 2.5 0 0 0 2.5 2.5',
  order: 39,
  within: 'spools',
  texts,
  operation: listDryingPlans,
  content: { files: 'drying' }
})
