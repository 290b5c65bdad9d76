import {
  createOptimisticSettings, definePlugin, type OptimisticSettings, type PrinterSession, type Spool
} from '../../core/index.js'
import { filamentById, genericFilament, type Filament } from './catalogue.js'
import { colorText, nearestColorName, spoolColorNames, spoolColorText } from './colors.js'
import type { startDryer, stopDryer } from './operations/dryer.js'
import routes from './routes.js'
import type { Settings } from './schemas.js'
import tools from './tools.js'

export { familyOf, filamentById, type Filament } from './catalogue.js'
export { colorText, loadPalette, spoolColorText, type Palette } from './colors.js'
export { refusalMessage } from './dry-refusals.js'
export { RANGE_C as DRYING_RANGE_C } from './drying.js'
export { labelOf, lineOf } from './lines.js'
export type { MaterialName } from './lines.js'
export { kinshipOf, relationOf, type Kinship, type MaterialRelation } from './materials.js'

/** Information about materials and colours. */
export interface Filaments {
  byId (id: string): Filament | undefined
  /** Usual values of a material whose maker is unknown. */
  generic (material: string): Filament | undefined
  /** The CSS name if it matches exactly, else `#RRGGBBAA`. */
  colorText (rgba: string): string
  nearestColorName (rgba: string): Promise<string>
  /** The main colour of a spool as text; `#00000000` for a clear spool and an unknown colour. */
  spoolColorText (spool: Spool): string
  /** The nearest name of its main colour, and a text with all colours. */
  spoolColorNames (spool: Spool): Promise<{ readonly name: string, readonly words: string }>
  /** AMS settings; each command carries all of them. */
  readonly amsSettings: OptimisticSettings<PrinterSession, Settings>
}

declare module 'prnd' {
  interface Services { filaments: Filaments }
  interface Operations {
    'filament.startDryer': typeof startDryer
    'filament.stopDryer': typeof stopDryer
  }
}

export default definePlugin({
  name: 'filament',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Filament catalogue, loading, AMS units and their dryers, spools',
  provides: ['filaments'],
  uses: ['commands'],
  contributes: { routes, tools },
  setup ({ kernel, provide }) {
    const amsSettings = createOptimisticSettings<PrinterSession, Settings>(kernel.now)
    provide('filaments', {
      byId: filamentById,
      generic: genericFilament,
      colorText,
      nearestColorName,
      spoolColorText,
      spoolColorNames,
      amsSettings
    })
  }
})
