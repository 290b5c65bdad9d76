import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

/** From models to a plate in the library. */
export const slicingPage = definePage({
  id: 'slicing',
  path: '/slice',
  icon: 'cube',
  order: 32,
  key: 'd',
  texts,
  content: { files: 'slicing' }
})
