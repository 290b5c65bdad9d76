import { defineError } from '../../core/index.js'

export const BadBackup = defineError<[path: string, problem: string]>('PRN_ERR_BACKUP',
  "'%s' is no backup that can be restored: %s", 400)
export const BackupExists = defineError<[path: string]>('PRN_ERR_BACKUP_EXISTS',
  "There is '%s' already. Choose another name, or use --force.", 409)
export const NoBackup = defineError('PRN_ERR_NO_BACKUP', 'This backup is no longer there: make a new one', 404)
