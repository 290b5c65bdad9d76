import { definePage } from '../../core/index.js'
import { listRules } from './operations.js'
import { texts } from './texts/index.js'

/** What the service does without a person: rules as sentences, what they did, and what agents propose. */
export const rulesPage = definePage({
  id: 'rules',
  path: '/rules',
  icon: 'M4 6h6 M4 12h16 M4 18h6 M10 6c4 0 3 12 7 12h3 M17.5 15.5 20 18l-2.5 2.5 M17.5 9.5 20 12l-2.5 2.5',
  order: 34,
  key: 'b',
  texts,
  operation: listRules,
  content: { files: 'rules' }
})
