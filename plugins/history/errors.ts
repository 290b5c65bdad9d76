import { defineError } from '../../core/index.js'

export const NoPrint = defineError<[id: string]>('PRN_ERR_NO_SUCH_PRINT', "There is no print '%s' in the history", 404)

export const NoPrinterForPrint = defineError<[printer: string]>('PRN_ERR_REPRINT_PRINTER',
  "The printer of this print, '%s', is not configured any more. Add it again, or print the file on another printer.", 409)

export const FileGone = defineError<[file: string, printer: string]>('PRN_ERR_REPRINT_FILE',
  "'%s' is not on the card of '%s' as it was sent, and no copy is kept. Upload it there again, or queue it from the library.", 409)

export const FileUnknown = defineError<[id: string]>('PRN_ERR_REPRINT_UNKNOWN',
  "The file of print '%s' is not known. Find it on the card and print it from there.", 409)

export const FileChanged = defineError<[file: string, printer: string]>('PRN_ERR_REPRINT_CHANGED',
  "'%s' on the card of '%s' is a different file now. Print it as a new one if you want it.", 409)

export const PlateUnknown = defineError<[name: string]>('PRN_ERR_REPRINT_PLATE',
  "The printer did not report which plate '%s' was, and its file has several. Say the number with plate.", 409)

export const SpoolsUnknown = defineError<[name: string]>('PRN_ERR_REPRINT_SPOOLS',
  "It is not certain which spools '%s' was printed from. Say where each filament comes from with ams_mapping, " +
  'such as [0, -1, 2] (preview_ams_mapping lists what is loaded), or pass use_ams false for the external holder.', 409)

export const PrintRunning = defineError<[id: string]>('PRN_ERR_PRINT_RUNNING',
  "Print '%s' is still running; its record can be deleted when it has ended", 409)

export const SharedDatabaseNeeded = defineError('PRN_ERR_SHARED_DATABASE_NEEDED',
  'The nodes of this fleet record the prints: set plugins.database.url of the nodes and of this hub to the same ' +
  'PostgreSQL database.', 501)
