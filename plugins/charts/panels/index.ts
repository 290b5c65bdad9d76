import type { ChartPanel } from '../panel.js'
import calibration from './calibration.js'
import failure from './failure.js'
import fans from './fans.js'
import filament from './filament.js'
import health from './health.js'
import temperature from './temperature.js'

/** The built-in panels in their documented order. */
export const PANELS: readonly ChartPanel[] = [temperature, fans, health, failure, calibration, filament]
