import climate from '../plugins/climate/index.js'
import filament from '../plugins/filament/index.js'
import print from '../plugins/print/index.js'
import state from '../plugins/state/index.js'
import system from '../plugins/system/index.js'

/** What every application can do, whatever it is reached by. */
export const features = [system, filament, state, climate, print]
