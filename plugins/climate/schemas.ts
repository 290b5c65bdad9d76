import { Type, type Static } from 'typebox'

export const FANS = ['part_cooling', 'aux', 'exhaust', 'enhanced_cooling'] as const
export const Fan = Type.Enum(FANS, { description: 'Which fan' })
export type Fan = Static<typeof Fan>

/** Any number: the operations clamp and truncate it. */
export const Celsius = Type.Number({ description: 'Target in °C, cut to whole degrees; 0 or less turns the heater off' })
export const Percent = Type.Integer({ minimum: 0, maximum: 100, description: 'Speed in percent' })

export const Extruder = Type.Integer({ minimum: -1, maximum: 1, description: '0 right or only, 1 left, -1 active' })

export const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})
