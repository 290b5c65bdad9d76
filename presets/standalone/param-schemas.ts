import { Type } from 'typebox'
import { BadInput } from '../../core/index.js'

/** True only for exactly this text. */
export const isTrue = (text: string | undefined): boolean => text === 'true'

export const Flag = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: \`true\`, anything else is false` }))
/** A required switch, so that omitting it switches nothing. */
export const Switch = (description = 'On') =>
  Type.String({ description: `${description}: \`true\`, anything else is false` })

/** A number that defaults to 0. */
export const Whole = (description: string) => Type.Optional(Type.Integer({ default: 0, description }))

export const percentOf = (value = 0): number => Math.min(100, Math.max(0, value))

export const Success = Type.Object({
  status: Type.Literal('success'),
  confirmed: Type.Optional(Type.Literal(false, { description: 'The printer has not answered' })),
  note: Type.Optional(Type.String({ description: 'What was not done, where nothing was sent' }))
})
/** Success with an empty printer: the result is read elsewhere. */
export const SuccessOnly = Type.Object({ status: Type.Literal('success'), printer: Type.Object({}) })
export const successOnly = () => ({ status: 'success', printer: {} })

/** @throws PRN_ERR_BAD_INPUT for anything but one of the values */
export function oneOf<T> (name: string, value: unknown, values: readonly T[]): T {
  const found = values.find(known => known === value)
  if (found === undefined) throw new BadInput(`${name} must be one of ${values.join(', ')}`)
  return found
}
