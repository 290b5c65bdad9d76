import { defineError } from '../../core/index.js'

export const DatabaseUnavailable = defineError<[reason: string]>('PRN_ERR_DATABASE_UNAVAILABLE',
  'The database cannot be used now: %s. The service continues, and writes pending records as soon as it can.', 503)

export const DatabaseNewer = defineError<[plugin: string, found: number, known: number]>('PRN_ERR_DATABASE_NEWER',
  "The tables of '%s' have version %d, this service knows version %d. Start the newer service again, or restore a backup.",
  503)

export const BadMigration = defineError<[plugin: string, problem: string]>('PRN_ERR_MIGRATION',
  "Plugin '%s' has an invalid migration: %s", 500)

export const DatabaseNotEmpty = defineError<[table: string]>('PRN_ERR_DATABASE_NOT_EMPTY',
  "Table '%s' is not empty. Restore into an empty database, or choose to replace its records.", 409)

export const SettingsChanged = defineError('PRN_ERR_SETTINGS_CHANGED',
  'Somebody has changed these settings since you read them: nothing was saved. Read them again, and choose anew.', 409)

export const SetInFile = defineError<[option: string]>('PRN_ERR_SET_IN_FILE',
  'This is set in the configuration file, as %s: change it there, or take it out there to choose it on the page.', 409)
