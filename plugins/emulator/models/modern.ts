import { H2_FIELDS, H2_FIELDS_3, MODERN_FIELDS } from './fields.data.js'
import type { Traits } from './traits.js'

/** Common to the series with capability words: full reports, indented. */
const base = {
  modern: true,
  incremental: false,
  indent: true,
  idleEveryMs: 2000,
  restStage: { fresh: -1, after: -1 },
  forgetsLayers: false,
  refreshesNozzle: false,
  extTool: ''
} as const satisfies Partial<Traits>

export const X1C: Traits = {
  ...base,
  model: 'X1C',
  product: 'Bambu Lab X1-Carbon',
  code: 'BL-P001',
  serialPrefix: '00M',
  series: 'X1',
  partialEvery: 10,
  firmware: '01.09.00.00',
  gates: { rfid: '01.09.00.00', amsClimate: '01.08.50.18' },
  extruders: 1,
  limits: { nozzle: 300, bed: 120, chamber: 0 },
  chamber: 'sensor',
  fans: [1, 2, 3],
  airduct: [],
  ams: ['AMS', 'AMS'],
  nozzleType: 'hardened_steel',
  nozzleCodes: ['HX01'],
  words: { homeFlag: -1067070064, fun: '11A30F9CFB', cfg: 'FB299', aux: '280100C', stat: '7A58000' },
  fields: MODERN_FIELDS,
  modules: [
    { name: 'ahb', hw: 'AHB00', version: '00.00.00.42' },
    { name: 'mc', hw: 'MC07', version: '00.00.26.53' },
    { name: 'mc-sub', hw: 'N/A', version: '00.00.02.11' },
    { name: 'th', hw: 'TH09', version: '00.00.06.60' },
    { name: 'ap', hw: 'AP05', version: '00.00.32.18' }
  ]
}

export const X1: Traits =
  { ...X1C, model: 'X1', product: 'Bambu Lab X1', code: 'BL-P002', serialPrefix: '00W' }

export const X1E: Traits = {
  ...X1C,
  model: 'X1E',
  product: 'Bambu Lab X1E',
  code: 'C13',
  serialPrefix: '03W',
  firmware: '01.03.00.00',
  gates: {},
  limits: { nozzle: 320, bed: 110, chamber: 60 },
  chamber: 'M141',
  // programs identify the model by the hardware of this board
  modules: X1C.modules.map(module => module.name === 'ap' ? { ...module, hw: 'AP02' } : module)
}

export const H2D: Traits = {
  ...base,
  model: 'H2D',
  product: 'Bambu Lab H2D',
  code: 'O1D',
  serialPrefix: '094',
  series: 'H2',
  sequence: '2021',
  partialEvery: 5,
  firmware: '01.03.00.00',
  gates: { nozzleCode: '01.02.00.00' },
  extruders: 2,
  limits: { nozzle: 350, bed: 120, chamber: 65 },
  chamber: 'set_ctt',
  fans: [1, 2, 3],
  extTool: 'F000',
  airduct: [
    { modeId: 0, ctrl: [16, 32, 48], off: [96] },
    { modeId: 1, ctrl: [16], off: [32, 48] },
    { modeId: 2, ctrl: [48], off: [] }
  ],
  ams: ['AMS_2_PRO', 'AMS_HT'],
  refreshesNozzle: true,
  nozzleType: 'HH01',
  nozzleCodes: ['HH01', 'HH05'],
  words: {
    homeFlag: -1066969712,
    fun: '4027FF18FFF9CB3',
    fun2: '10F7',
    cfg: 'C01457DA13',
    aux: '2001004',
    stat: '640258000'
  },
  fields: H2_FIELDS,
  modules: [
    { name: 'ahb', hw: 'AHB03', version: '00.00.01.21' },
    { name: 'mc-sub', hw: 'N/A', version: '00.00.02.11' },
    { name: 'th', hw: 'TH08', version: '00.00.10.02' },
    { name: 'ext', hw: 'EXT07', version: '00.00.05.44' },
    { name: 'smc', hw: 'SMC09', version: '00.00.03.30' },
    { name: 'mc', hw: 'MC09', version: '00.00.44.15' },
    { name: 'ap', hw: 'AP05', version: '00.00.32.18' }
  ]
}

export const H2D_PRO: Traits =
  { ...H2D, model: 'H2D_PRO', product: 'Bambu Lab H2D Pro', code: 'O1E', serialPrefix: '239' }

export const H2S: Traits = {
  ...H2D,
  model: 'H2S',
  product: 'Bambu Lab H2S',
  code: 'O1S',
  serialPrefix: '093',
  firmware: '01.01.00.00',
  gates: {},
  extruders: 1,
  ams: ['AMS_2_PRO'],
  refreshesNozzle: false,
  nozzleType: 'HS01',
  nozzleCodes: ['HS01'],
  words: { ...H2D.words, fun: '21FF1AFFF9CB7' },
  fields: H2_FIELDS_3,
  modules: H2D.modules.filter(({ name }) => name !== 'ext')
}

/** Without the exhaust kit: no chamber fan and no part for it in the air duct. */
export const P2S: Traits = {
  ...H2S,
  model: 'P2S',
  product: 'Bambu Lab P2S',
  code: 'N7',
  serialPrefix: '22E',
  series: 'P2',
  firmware: '01.01.50.40',
  limits: { nozzle: 300, bed: 110, chamber: 0 },
  chamber: 'sensor',
  fans: [1, 2],
  extTool: '',
  airduct: [{ modeId: 0, ctrl: [16, 32], off: [] }, { modeId: 1, ctrl: [16], off: [32] }],
  words: { ...H2D.words, fun: '60029FD1A3FF9CB7' },
  fields: { ...H2_FIELDS_3, lights_report: MODERN_FIELDS.lights_report }
}

export const X2D: Traits = {
  ...H2D,
  model: 'X2D',
  product: 'Bambu Lab X2D',
  code: 'N6',
  serialPrefix: '20P',
  series: 'X2',
  firmware: '01.00.00.00',
  gates: {},
  limits: { nozzle: 300, bed: 120, chamber: 65 },
  fans: [1, 2, 3, 10],
  extTool: '',
  airduct: [
    { modeId: 0, ctrl: [16, 32, 48, 160], off: [] },
    { modeId: 1, ctrl: [16, 160], off: [32, 48] }
  ],
  refreshesNozzle: false,
  words: { ...H2D.words, fun: '40029FD1B30F9CB7' },
  fields: { ...H2_FIELDS_3, lights_report: MODERN_FIELDS.lights_report }
}
