import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { withPreference } from '../preference-limits.js'
import { Preference } from '../schemas.js'

/** The printer's name is not checked: preferences may be stored before the printer is configured. */
const keyOf = (printer: string, key: string) => `${printer}:${key}`

const Place = Type.Object({ printer: Type.String(), key: Type.String() })

export const readPreference = operation({
  name: 'system.readPreference',
  summary: 'A stored preference',
  effect: 'read',
  scope: 'daemon',
  input: Place,
  output: Preference,
  run: ({ services }, { printer, key }) => ({
    key: keyOf(printer, key),
    value: services.system.preferences.get()[keyOf(printer, key)] ?? null
  })
})

export const storePreference = operation({
  name: 'system.storePreference',
  summary: 'Store a preference; null removes it',
  effect: 'local',
  record: true,
  scope: 'daemon',
  input: Type.Object({ ...Place.properties, value: Type.Unknown() }),
  output: Preference,
  async run ({ services }, { printer, key, value }) {
    const { preferences } = services.system
    await preferences.set(withPreference(preferences.get(), keyOf(printer, key), value))
    return { key: keyOf(printer, key), value }
  }
})
