import { Type } from 'typebox'
import { mappingIn } from '../projects/index.js'

/** Where the filaments come from, given by the caller. */
export const Mapping = (description: string) => Type.Optional(Type.Unknown({
  description, 'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }
}))

export const UseAms = Type.Optional(Type.Boolean({ description: 'false: all from the external holder' }))

export const PlateNumber = Type.Optional(Type.Integer({ minimum: 1, description: 'If the record lacks it' }))

/** @throws PRN_ERR_BAD_INPUT */
export const reprintInputOf = ({ ams_mapping: given, use_ams: useAms, plate }:
{ ams_mapping?: unknown, use_ams?: boolean, plate?: number }) =>
  ({ ...mappingIn(given), ...(useAms !== undefined && { useAms }), ...(plate !== undefined && { plate }) })
