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

/** The first start: printer, people, messages. */
export const welcomePage = definePage({
  id: 'welcome',
  path: '/welcome',
  icon: 'printer',
  order: 6,
  unlisted: true,
  texts,
  content: { files: 'setup', html: 'welcome.html', script: 'welcome.js' }
})
