import { defineError } from '../../core/index.js'

export const NoPrint = defineError<[id: string]>('PRN_ERR_NO_SUCH_PRINT', "There is no print '%s' in the history", 404)

export const PrintRunning = defineError<[id: string]>('PRN_ERR_PRINT_RUNNING',
  "Print '%s' still runs; what is recorded of it can be deleted when it has ended", 409)

export const SharedDatabaseNeeded = defineError('PRN_ERR_SHARED_DATABASE_NEEDED',
  'The nodes of this fleet record the prints: set plugins.database.url to the same PostgreSQL database at them and at ' +
  'this hub.', 501)
