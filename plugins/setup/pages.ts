import { definePage } from '../../core/index.js'
import { listConfigured } from '../management/index.js'
import { texts } from './texts/index.js'

/** The printers of this service. */
export const printersPage = definePage({
  id: 'printers',
  path: '/printers',
  icon: 'printer',
  order: 5,
  within: 'settings',
  texts,
  operation: listConfigured,
  content: { files: 'setup' }
})
