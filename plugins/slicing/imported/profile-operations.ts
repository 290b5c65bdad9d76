import { Type } from 'typebox'
import { BadInput, operation } from '../../../core/index.js'
import { NoImportedProfile } from '../errors.js'
import { ImportedProfileView } from '../schemas.js'
import type { ImportedProfile } from './imported-profiles.js'
import { presetsIn } from './preset-bundle.js'
import type { PresetFile } from './preset-file.js'

/** A profile as answers show it. */
export const importedProfileView = ({ id, name, addedAt, addedBy, changed, facts, presets }: ImportedProfile) => ({
  id,
  name,
  kind: presets ? 'presets' as const : 'configuration' as const,
  added_at: addedAt,
  added_by: addedBy,
  changed: [...changed],
  material: facts.material,
  layer_mm: facts.layerMm,
  nozzle_mm: facts.nozzleMm,
  nozzle_c: facts.nozzleC,
  bed_c: facts.bedC
})

/** Characters; the body of a request holds little more. */
const LONGEST = 900_000

/** Of one request: each may unpack to far more than it has. */
const MOST_BUNDLES = 4

/** Presets of files as a request has them. @throws PRN_ERR_BAD_INPUT */
async function presetsOf (files: readonly string[]): Promise<PresetFile[]> {
  const isText = (file: string) => /^\uFEFF?\s*\{/.test(file)
  if (files.filter(file => !isText(file)).length > MOST_BUNDLES) throw new BadInput(`Give at most ${MOST_BUNDLES} bundles at once`)
  const presets: PresetFile[] = []
  for (const file of files) presets.push(...await presetsIn(Buffer.from(file, isText(file) ? 'utf8' : 'base64')))
  return presets
}

export const importProfile = operation({
  name: 'slicing.importProfile',
  summary: 'Import a profile of your own PrusaSlicer, OrcaSlicer or Bambu Studio, with its start code',
  effect: 'local',
  record: true,
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Plates can be sliced with it. Its start code moves and heats printers as it says; plates are checked as always.',
  note: ({ name = 'profile' }) => name,
  input: Type.Object({
    name: Type.Optional(Type.String({
      minLength: 1, maxLength: 80, description: 'Left out: that of the process and the filament'
    })),
    text: Type.Optional(Type.String({
      minLength: 1, maxLength: LONGEST, description: 'A configuration or a bundle of presets that PrusaSlicer exported'
    })),
    files: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: LONGEST }), {
      minItems: 1,
      maxItems: 64,
      description: 'Presets of OrcaSlicer or Bambu Studio, with those that they build on: JSON files as they are, bundles in base64'
    })),
    printer_preset: Type.Optional(Type.String({ maxLength: 200, description: 'Of a bundle with several' })),
    print_preset: Type.Optional(Type.String({ maxLength: 200 })),
    filament_preset: Type.Optional(Type.String({ maxLength: 200 }))
  }),
  output: ImportedProfileView,
  async run ({ services: { slicing: { imports } }, askedBy }, { name, text, files, ...presets }) {
    const { printer_preset: printer, print_preset: print, filament_preset: filament } = presets
    const names = { printer, print, filament }
    if ((text === undefined) === (files === undefined)) throw new BadInput('Give either text or files')
    return importedProfileView(text === undefined
      ? await imports.addPresets(name, await presetsOf(files ?? []), names, askedBy)
      : await imports.add(name ?? 'profile', text, names, askedBy))
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
