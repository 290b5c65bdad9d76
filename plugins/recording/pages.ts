import { definePage } from '../../core/index.js'
import { texts } from './texts/index.js'

export const recordingsPage = definePage({
  id: 'recordings',
  path: '/recordings',
  icon: 'recordings',
  order: 70,
  key: 'r',
  texts,
  content: { files: 'recording', html: 'recordings.html', script: 'recordings.js' }
})
