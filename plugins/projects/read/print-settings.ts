/** Print settings that affect adhesion and stability. Unknown ones are left out. */
export interface PrintSettings {
  readonly support?: 'none' | 'tree' | 'normal'
  readonly brim?: 'none' | 'ears' | 'full'
  readonly raftLayers?: number
  readonly layerHeightMm?: number
  readonly firstLayerMm?: number
  readonly infillPct?: number
  readonly walls?: number
}

type Setting = (key: string) => string | undefined

const NUMBER = /^(\d{1,6}(?:\.\d{1,6})?) ?%?$/

const numberOf = (text: string | undefined): number | undefined => {
  const [, digits] = NUMBER.exec(text?.trim() ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function supportOf (setting: Setting): PrintSettings['support'] {
  const enabled = setting('enable_support')
  if (enabled === undefined) return undefined
  if (enabled !== '1') return 'none'
  return setting('support_type')?.includes('tree') === true ? 'tree' : 'normal'
}

const EARS = new Set(['brim_ears', 'painted'])

function brimOf (type: string | undefined): PrintSettings['brim'] {
  if (type === undefined || type === '') return undefined
  if (type === 'no_brim') return 'none'
  return EARS.has(type) ? 'ears' : 'full'
}

/** Reads `project_settings.config` or the settings at the head of a plate's toolpaths; both use the same names. */
export function printSettings (setting: Setting): PrintSettings {
  const found = {
    support: supportOf(setting),
    brim: brimOf(setting('brim_type')),
    raftLayers: numberOf(setting('raft_layers')),
    layerHeightMm: numberOf(setting('layer_height')),
    firstLayerMm: numberOf(setting('initial_layer_print_height')),
    infillPct: numberOf(setting('sparse_infill_density')),
    walls: numberOf(setting('wall_loops'))
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
