import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { findFilaments } from '../catalogue.js'

const FilamentList = Type.Array(Type.Object({
  tray_info_idx: Type.String(),
  name: Type.String(),
  vendor: Type.String(),
  filament_type: Type.String(),
  nozzle_temp_min: Type.Integer({ description: '°C' }),
  nozzle_temp_max: Type.Integer({ description: '°C' }),
  hot_plate_temp: Type.Integer({ description: '°C' })
}))

export const listFilaments = operation({
  name: 'filament.list',
  summary: 'The filament catalogue',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    filament_type: Type.Optional(Type.String({ description: 'exact type, e.g. PLA' })),
    search: Type.Optional(Type.String({ description: 'part of id, name or vendor' }))
  }),
  output: FilamentList,
  run: (_, { filament_type: type = '', search = '' }) => findFilaments(type, search) as never
})
