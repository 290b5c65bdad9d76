import { definePage } from '../../core/index.js'
import { readBackup } from './operations.js'
import { texts } from './texts/index.js'

/** Makes a backup to download, and says how one is restored. */
export const backupPage = definePage({
  id: 'backup',
  path: '/backup',
  icon: 'M3 4h18v5H3Z M5 9v11h14V9 M12 11.5V17 M9.5 14.5 12 17l2.5-2.5',
  order: 75,
  within: 'settings',
  texts,
  operation: readBackup,
  content: { files: 'backup' }
})
