import { Type } from 'typebox'
import { MODELS, operation, type ModelInfo } from '../../core/index.js'

const Celsius = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description}, °C` })
const Yes = (description: string) => Type.Boolean({ description })

/** Limits and features of a model, independent of its reports. */
export const ModelLimits = Type.Object({
  nozzle_max_c: Celsius('Most for a nozzle; null unknown'),
  bed_max_c: Celsius('Most for the bed; null unknown'),
  chamber_max_c: Celsius('Most for the chamber; 0 without a heater'),
  volume_mm: Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: 'What can be printed in: X, Y, Z' }),
  aux_fan: Yes('There is an auxiliary fan'),
  chamber_fan: Yes('There is an exhaust fan')
}, { 'x-name': 'ModelLimits' })

const Model = Type.Object({
  model: Type.String({ description: 'Such as A1_MINI, P1S, X1C, H2D' }),
  name: Type.String({ description: 'As the vendor sells it' }),
  series: Type.String(),
  extruders: Type.Integer(),
  enclosed: Type.Boolean(),
  video: Yes('The camera sends video; others send pictures'),
  lights: Type.Array(Type.String()),
  ams_kinds: Type.Array(Type.String(), { description: 'Units that can be connected' }),
  limits: ModelLimits
}, { 'x-name': 'Model' })

/** null for the unlimited values of an unknown model: JSON has no Infinity. */
const degrees = (most: number): number | null => Number.isFinite(most) ? most : null

export const limitsOf = ({ nozzleMaxC, bedMaxC, chamberMaxC, bedMm, auxFan, chamberFan }: ModelInfo) => ({
  nozzle_max_c: degrees(nozzleMaxC),
  bed_max_c: degrees(bedMaxC),
  chamber_max_c: degrees(chamberMaxC),
  volume_mm: [...bedMm],
  aux_fan: auxFan,
  chamber_fan: chamberFan
})

const modelEntry = (info: ModelInfo) => ({
  model: info.model,
  name: info.name,
  series: info.series,
  extruders: info.extruders,
  enclosed: info.enclosed,
  video: info.camera === 'rtsps',
  lights: [...info.lights],
  ams_kinds: [...info.amsKinds],
  limits: limitsOf(info)
})

export const listModels = operation({
  name: 'state.listModels',
  summary: 'The models that are known, with what they take and have',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Array(Model),
  run: () => MODELS.map(modelEntry)
})
