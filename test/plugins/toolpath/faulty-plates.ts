import { make3mf } from '../projects/make-3mf.js'
import { plateText } from './plate-text.js'

const WHITE = { id: 1, type: 'PLA', color: '#FFFFFF' }
const FOR_X1C = { printer_model_id: 'BL-P001', nozzle_diameters: '0.4', prediction: '600', weight: '1.5' }

export const plateArchive = (gcode: string, md5?: string): Buffer => make3mf([
  { number: 1, filaments: [WHITE], metadata: FOR_X1C, gcode, ...(md5 !== undefined && { md5 }) }
])

/** One filament: the second one of the usual plate would need a spool of its own. */
export const ONE_TEXT = plateText({ layers: 20 }).split('\n').filter(line => !/^(M620|T1|G1 E8|M621)/.test(line)).join('\n')

export const GOOD = plateArchive(ONE_TEXT)
export const OUTSIDE_TEXT = ONE_TEXT.replace(/(; Z_HEIGHT: 0\.4[\s\S]*?G1 )X90 Y90/, '$1X300 Y90')
/** Prints 44 mm beyond the bed of an X1C, in layer 2; nobody may print it. */
export const OUTSIDE = plateArchive(OUTSIDE_TEXT)
/** Its checksum is that of another plate; a person may print it. */
export const CHANGED = plateArchive(ONE_TEXT, '0'.repeat(32))
