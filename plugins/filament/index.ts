import { definePlugin } from '../../core/index.js'
import { filamentById, type Filament } from './catalogue.js'
import { colorText, nearestColorName } from './colors.js'
import routes from './routes.js'
import tools from './tools.js'

export type { Filament } from './catalogue.js'

/** What is known of materials and colours. */
export interface Filaments {
  byId (id: string): Filament | undefined
  /** CSS name when it is exactly one, else `#RRGGBBAA`. */
  colorText (rgba: string): string
  nearestColorName (rgba: string): Promise<string>
}

declare module 'prn' {
  interface Services { filaments: Filaments }
}

export default definePlugin({
  name: 'filament',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Filament catalogue, AMS units, spools',
  provides: ['filaments'],
  contributes: { routes, tools },
  setup: ({ provide }) => provide('filaments', { byId: filamentById, colorText, nearestColorName })
})
