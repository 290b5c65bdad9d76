import { definePage } from '../../core/index.js'
import { listUsers } from './operations.js'
import { texts } from './texts/index.js'

/** Users, keys and who did what: shown to those who may change them. */
export const peoplePage = definePage({
  id: 'people',
  path: '/people',
  icon: 'people',
  order: 80,
  key: 'u',
  texts,
  operation: listUsers,
  content: { files: 'people' }
})
