import { LEGACY_FIELDS } from './fields.data.js'
import type { Traits } from './traits.js'

/** Common to the A1 and P1 series: incremental reports, no capability words, no `device` object. */
const base = {
  modern: false,
  incremental: true,
  indent: false,
  partialEvery: 0,
  idleEveryMs: 5000,
  extruders: 1,
  chamber: 'none',
  airduct: [],
  extTool: '',
  refreshesNozzle: false,
  nozzleCodes: []
} as const satisfies Partial<Traits>

export const A1_MINI: Traits = {
  ...base,
  model: 'A1_MINI',
  product: 'Bambu Lab A1 mini',
  code: 'N1',
  serialPrefix: '030',
  series: 'A1',
  firmware: '01.06.10.33',
  gates: { rfid: '01.06.00.00', amsClimate: '01.06.10.33' },
  limits: { nozzle: 300, bed: 80, chamber: 0 },
  fans: [1],
  ams: ['AMS_LITE'],
  restStage: { fresh: 255, after: 255 },
  forgetsLayers: false,
  nozzleType: 'stainless_steel',
  words: { homeFlag: 863847839, flag3: 31 },
  fields: { ...LEGACY_FIELDS, xcam: { buildplate_marker_detector: true } },
  modules: [
    { name: 'esp32', hw: 'AP05' },
    { name: 'mc', hw: 'MC02', version: '00.00.30.75' },
    { name: 'th', hw: 'TH01', version: '00.00.09.61' }
  ]
}

export const A1: Traits = {
  ...A1_MINI,
  model: 'A1',
  product: 'Bambu Lab A1',
  code: 'N2S',
  serialPrefix: '039',
  limits: { nozzle: 300, bed: 100, chamber: 0 }
}

export const P1S: Traits = {
  ...base,
  model: 'P1S',
  product: 'Bambu Lab P1S',
  code: 'C12',
  serialPrefix: '01P',
  series: 'P1',
  firmware: '01.08.01.00',
  gates: { rfid: '01.08.01.00', amsClimate: '01.07.50.18' },
  limits: { nozzle: 300, bed: 100, chamber: 0 },
  fans: [1, 2, 3],
  ams: ['AMS'],
  restStage: { fresh: 0, after: 255 },
  forgetsLayers: true,
  nozzleType: 'hardened_steel',
  words: { homeFlag: 224478464, flag3: 15 },
  fields: { ...LEGACY_FIELDS, ipcam: { ...LEGACY_FIELDS.ipcam as object, resolution: '' } },
  modules: [
    { name: 'esp32', hw: 'AP04' },
    { name: 'mc', hw: 'MC07', version: '00.00.14.53' },
    { name: 'th', hw: 'TH09', version: '00.00.06.59' }
  ]
}

export const P1P: Traits = {
  ...P1S,
  model: 'P1P',
  product: 'Bambu Lab P1P',
  code: 'C11',
  serialPrefix: '01S',
  fans: [1, 2],
  nozzleType: 'stainless_steel'
}
