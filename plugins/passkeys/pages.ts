import { definePage } from '../../core/index.js'
import { readOwnPasskeys } from './operations.js'
import { texts } from './texts/index.js'

/** The reader's own login: password and passkeys. */
export const accountPage = definePage({
  id: 'account',
  path: '/account',
  icon: 'M8 12a4 4 0 1 1 3.9 3H10v2H8v2H5v-3l3.2-3.2Z M14.5 9.5h.1',
  order: 79,
  within: 'settings',
  texts,
  operation: readOwnPasskeys,
  content: { files: 'passkeys', html: 'account.html', script: 'account.js' }
})
