import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { NoImportedProfile } from '../errors.js'
import { ImportedProfileView } from '../schemas.js'
import type { ImportedProfile } from './imported-profiles.js'

/** A profile as answers show it. */
export const importedProfileView = ({ id, name, addedAt, addedBy, changed, facts }: ImportedProfile) => ({
  id,
  name,
  added_at: addedAt,
  added_by: addedBy,
  changed: [...changed],
  material: facts.material,
  layer_mm: facts.layerMm,
  nozzle_mm: facts.nozzleMm,
  nozzle_c: facts.nozzleC,
  bed_c: facts.bedC
})

export const importProfile = operation({
  name: 'slicing.importProfile',
  summary: 'Import a profile of your own PrusaSlicer, with its start code',
  effect: 'local',
  record: true,
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Plates can be sliced with it. Its start code moves and heats printers as it says; plates are checked as always.',
  note: ({ name }) => name,
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 80 }),
    text: Type.String({ minLength: 1, maxLength: 900_000, description: 'The exported configuration, or a bundle of presets' }),
    printer_preset: Type.Optional(Type.String({ maxLength: 200, description: 'Of a bundle with several' })),
    print_preset: Type.Optional(Type.String({ maxLength: 200 })),
    filament_preset: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  output: ImportedProfileView,
  async run ({ services: { slicing }, askedBy }, { name, text, ...presets }) {
    const { printer_preset: printer, print_preset: print, filament_preset: filament } = presets
    return importedProfileView(await slicing.imports.add(name, text, { printer, print, filament }, askedBy))
  }
})

export const removeProfile = operation({
  name: 'slicing.removeProfile',
  summary: 'Remove an imported profile',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Plates cannot be sliced with it any more; those that were stay.',
  input: Type.Object({ id: Type.String({ minLength: 1, maxLength: 80, description: 'Id or name' }) }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoImportedProfile],
  run: async ({ services: { slicing } }, { id }) => ({ id: (await slicing.imports.remove(id)).id })
})
