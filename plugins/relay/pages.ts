import { definePage } from '../../core/index.js'
import { readSetup } from './setup-operations.js'
import { texts } from './texts/index.js'

/** Which printers slicers reach through this service, and who may. */
export const relayPage = definePage({
  id: 'relay',
  path: '/relay',
  icon: 'M3 5h11v9H3Z M6 18h5 M8.5 14v4 M14 8h7v11h-7 M17.5 16v.2 M16 11h3',
  order: 36,
  within: 'settings',
  texts,
  operation: readSetup,
  content: { files: 'relay' }
})
