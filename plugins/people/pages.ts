import { definePage } from '../../core/index.js'
import { listUsers } from './operations.js'
import { texts } from './texts/index.js'

/** Users, keys and the audit log: shown to administrators. */
export const peoplePage = definePage({
  id: 'people',
  path: '/people',
  icon: 'people',
  order: 80,
  within: 'settings',
  key: 'u',
  texts,
  operation: listUsers,
  content: { files: 'people' }
})
