import { defineError } from '../../core/index.js'

export const NoPlateFile = defineError<[path: string]>('PRN_ERR_NO_PLATE_FILE',
  "There is no file '%s'. Give the full path of a .gcode.3mf, .3mf or .gcode", 404)
export const NoSlicedPlate = defineError<[path: string, plate: number, plates: string]>('PRN_ERR_NO_SLICED_PLATE',
  "'%s' holds no sliced plate %d: it has %s. Slice that plate and export the file again, or name another plate", 404)
export const PlateUnreadable = defineError<[path: string, reason: string]>('PRN_ERR_PLATE_UNREADABLE',
  "'%s' cannot be read: %s. Export it again from the slicer", 400)
export const PlateTooLarge = defineError<[path: string, mib: number]>('PRN_ERR_PLATE_TOO_LARGE',
  "The G-code of '%s' is larger than %d MiB, which no plate needs. Slice it again with fewer or larger layers", 400)
export const NoSuchLayer = defineError<[path: string, layer: number, layers: number]>('PRN_ERR_NO_SUCH_LAYER',
  "'%s' has no layer %d: it has layers 1 to %d", 404)
export const LayerTooLarge = defineError<[layer: number]>('PRN_ERR_LAYER_TOO_LARGE',
  'Layer %d has too many moves to be drawn', 400)
export const TooManyPlates = defineError('PRN_ERR_TOO_MANY_PLATES',
  'Too many plates are waiting to be read. Try again in a minute', 503)
export const PlateReadFailed = defineError<[path: string, reason: string]>('PRN_ERR_PLATE_READ_FAILED',
  "'%s' could not be read: %s. Try again", 500)
