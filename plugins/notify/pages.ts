import { definePage } from '../../core/index.js'
import { readPush } from './push-operations.js'
import { texts } from './texts/index.js'

/** Where messages go, and about what. Those who may not change it see the places without their addresses. */
export const messagesPage = definePage({
  id: 'messages',
  path: '/messages',
  icon: 'M3 6h18v13H3Z M3 7l9 7 9-7',
  order: 30,
  within: 'settings',
  key: 'm',
  texts,
  operation: readPush,
  content: { files: 'notify' }
})
