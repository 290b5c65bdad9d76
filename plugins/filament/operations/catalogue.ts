import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { findFilaments } from '../catalogue.js'

const Celsius = (description: string) => Type.Number({ description: `${description}, °C` })
const ByModel = (description: string) => Type.Record(Type.String(), Type.Number(), { description: `${description}, by AMS model` })

const Filament = Type.Object({
  tray_info_idx: Type.String({ description: 'Id, such as GFA00' }),
  name: Type.String({ description: 'Such as Bambu PLA Basic' }),
  vendor: Type.String(),
  filament_type: Type.String({ description: 'Material, such as PLA' }),
  nozzle_temperature: Celsius('Usual for the nozzle'),
  nozzle_temperature_range_low: Celsius('Least for the nozzle'),
  nozzle_temperature_range_high: Celsius('Most for the nozzle'),
  nozzle_temp_min: Celsius('Least for the nozzle'),
  nozzle_temp_max: Celsius('Most for the nozzle'),
  hot_plate_temp: Celsius('Bed'),
  density_g_cm3: Type.Union([Type.Number(), Type.Null()], { description: 'g/cm³; null unknown' }),
  drying_temp: ByModel('°C'),
  drying_time: ByModel('Hours')
}, { 'x-name': 'Filament' })
const FilamentList = Type.Array(Filament)

export const listFilaments = operation({
  name: 'filament.list',
  summary: 'The filament catalogue',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    filament_type: Type.Optional(Type.String({ description: 'e.g. PLA' })),
    search: Type.Optional(Type.String({ description: 'part of id, name or vendor' }))
  }),
  output: FilamentList,
  run: (_, { filament_type: type = '', search = '' }) => findFilaments(type, search) as never
})
