import { definePage } from '../../core/index.js'
import { writeTag } from './operations.js'
import { texts } from './texts/index.js'

export const tagsPage = definePage({
  id: 'spool-tags',
  path: '/spools/tags',
  icon: 'M5 9a5 5 0 0 1 0 6 M9 6.5a9.5 9.5 0 0 1 0 11 M13 4a14 14 0 0 1 0 16',
  order: 38,
  within: 'spools',
  texts,
  operation: writeTag,
  content: { files: 'spool-tags' }
})
