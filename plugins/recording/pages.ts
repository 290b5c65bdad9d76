import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

/** The page with all recordings; its scripts fill it. */
export const recordingsPage = definePage({
  id: 'recordings',
  path: '/recordings',
  icon: 'recordings',
  order: 70,
  key: 'r',
  texts,
  content: { files: 'recording', html: 'recordings.html', script: 'recordings.js' }
})
