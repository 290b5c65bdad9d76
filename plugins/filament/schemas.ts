import { Type, type Static } from 'typebox'

export const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})

/** A unit as one interface or the other names it; one of the two. */
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

/** Catalogue id that stands for none. */
export const NO_FILAMENT = 'no_filament'
/** Temperature that stands for the one the slot has now. */
export const KEEP = -1
