import { definePage } from '../../core/index.js'
import { readEncryption } from './operations.js'
import { texts } from './texts/index.js'

/** Says how devices come to trust the encrypted pages. */
export const encryptionPage = definePage({
  id: 'encryption',
  path: '/encryption',
  icon: 'M6 11h12v9H6Z M8.5 11V8a3.5 3.5 0 0 1 7 0v3 M12 14.5v2.5',
  order: 35,
  within: 'settings',
  texts,
  operation: readEncryption,
  content: { files: 'https' }
})
