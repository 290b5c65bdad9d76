import { Type } from 'typebox'
import { mappingIn } from '../projects/index.js'

/** Where the filaments come from, for those who say it themselves. */
export const Mapping = (description: string) => Type.Optional(Type.Unknown({
  description, 'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }
}))

export const UseAms = Type.Optional(Type.Boolean({ description: 'false: all from the external holder' }))

export const PlateNumber = Type.Optional(Type.Integer({ minimum: 1, description: 'Where the record does not know it' }))

/** @throws PRN_ERR_BAD_INPUT */
export const saidOf = ({ ams_mapping: given, use_ams: useAms, plate }:
{ ams_mapping?: unknown, use_ams?: boolean, plate?: number }) =>
  ({ ...mappingIn(given), ...(useAms !== undefined && { useAms }), ...(plate !== undefined && { plate }) })
