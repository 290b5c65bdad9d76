import { Type, type Static } from 'typebox'

export const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})

/** A unit by either name; exactly one is given. */
export const Unit = {
  ams_id: Type.Optional(Type.Integer({ description: 'Id as the printer reports it: 0 first four-slot unit, 128 first AMS HT' })),
  unit_id: Type.Optional(Type.Integer({ description: 'Position in the list of units, else the id as reported' }))
}
export type UnitName = Static<ReturnType<typeof Type.Object<typeof Unit>>>

export const CONTROLS = ['pause', 'resume', 'reset', 'done', 'abort'] as const
export type Control = (typeof CONTROLS)[number]

export const SETTINGS = ['calibrate_remain_flag', 'startup_read_option', 'tray_read_option'] as const
export type Setting = (typeof SETTINGS)[number]
export type Settings = Readonly<Record<Setting, boolean>>

/** Catalogue id that means an empty slot. */
export const NO_FILAMENT = 'no_filament'
/** Temperature that means the slot's current one. */
export const KEEP = -1
