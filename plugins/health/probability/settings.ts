import type { PrintSettings } from '../../projects/index.js'
import type { Material } from './materials.data.js'

function adhesionFactor ({ raftLayers = 0, brim }: PrintSettings, thirst: Material['thirst']): number {
  if (raftLayers > 0) return 0.72
  return brim === 'ears' ? 0.92 : brim === 'none' ? 1.1 + 0.05 * thirst : 1
}

const supportFactor = ({ support }: PrintSettings) => support === 'tree' ? 1.12 : support === 'normal' ? 1.05 : 1

function infillFactor ({ infillPct }: PrintSettings): number {
  if (infillPct === undefined) return 1
  return infillPct < 10 ? 1.15 : infillPct < 20 ? 1.05 : infillPct >= 40 ? 0.95 : 1
}

const wallFactor = ({ walls }: PrintSettings) => walls === 1 ? 1.15 : walls === 2 ? 1.05 : 1
const firstLayerFactor = ({ firstLayerMm = 0 }: PrintSettings) => firstLayerMm >= 0.25 ? 0.92 : 1

export const areKnown = (settings: PrintSettings): boolean => Object.keys(settings).length > 0

/** Risk factor of the slicer's settings; 1 when they are unknown. */
export const settingsFactor = (settings: PrintSettings, thirst: Material['thirst']): number => areKnown(settings)
  ? adhesionFactor(settings, thirst) * supportFactor(settings) * infillFactor(settings) * wallFactor(settings) *
    firstLayerFactor(settings)
  : 1
