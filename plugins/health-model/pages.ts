import { definePage } from '../../core/index.js'
import { readNetworks } from './operations.js'
import { texts } from './texts/index.js'

/** How prints are watched, and the networks for it. */
export const monitorPage = definePage({
  id: 'monitor',
  path: '/monitor',
  icon: 'camera',
  order: 40,
  within: 'settings',
  texts,
  operation: readNetworks,
  content: { files: 'health-model' }
})
