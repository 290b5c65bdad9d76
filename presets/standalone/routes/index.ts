import climate from './climate.js'
import filament from './filament.js'
import files from './files.js'
import hardware from './hardware.js'
import print from './print.js'
import service from './service.js'
import status from './status.js'
import telemetry from './telemetry.js'

/** The interface of the standalone application. */
export const routes = [
  ...status, ...climate, ...print, ...filament, ...files, ...hardware, ...telemetry, ...service
]
