import { defineError } from '../../core/index.js'

export const NoPrint = defineError<[id: string]>('PRN_ERR_NO_SUCH_PRINT', "There is no print '%s' in the history", 404)

export const NoPrinterForPrint = defineError<[printer: string]>('PRN_ERR_REPRINT_PRINTER',
  "The printer of this print, '%s', is not configured any more. Add it again, or print the file on another printer.", 409)

export const FileGone = defineError<[file: string, printer: string]>('PRN_ERR_REPRINT_FILE',
  "'%s' is not on the card of '%s' any more. Upload it there again, or queue it from the library.", 409)

export const FileUnknown = defineError<[id: string]>('PRN_ERR_REPRINT_UNKNOWN',
  "Nobody knows which file print '%s' was made from. Find it on the card and print it from there.", 409)

export const FileChanged = defineError<[file: string, printer: string]>('PRN_ERR_REPRINT_CHANGED',
  "'%s' on the card of '%s' is another file by now. Print it as a new one if you want it.", 409)

export const PrintRunning = defineError<[id: string]>('PRN_ERR_PRINT_RUNNING',
  "Print '%s' still runs; what is recorded of it can be deleted when it has ended", 409)

export const SharedDatabaseNeeded = defineError('PRN_ERR_SHARED_DATABASE_NEEDED',
  'The nodes of this fleet record the prints: set plugins.database.url to the same PostgreSQL database at them and at ' +
  'this hub.', 501)
