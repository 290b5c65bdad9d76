import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { arrangeModels, readProfiles, sliceModels } from './operations.js'
import type { QualityProfile } from './own-profiles/materials.data.js'
import type { OrderedPart } from './schemas.js'

/** Agents order the same for all models of a plate: each schema of a tool costs them with every request. */
const ofModels = {
  models: Type.Array(Type.String(), { description: 'Names of uploaded STL, OBJ, 3MF' }),
  copies: Type.Optional(Type.Integer({ description: 'Of each' })),
  lay_flat: Type.Optional(Type.Boolean({ description: 'On the largest flat side' })),
  repair: Type.Optional(Type.Boolean({ description: 'Close holes' }))
}

interface ModelsOrder extends Omit<OrderedPart, 'model'> { readonly models: readonly string[] }

const partsOf = ({ models, copies, lay_flat: layFlat, repair }: ModelsOrder): OrderedPart[] => models.map(model => ({
  model,
  ...copies !== undefined && { copies },
  ...layFlat !== undefined && { lay_flat: layFlat },
  ...repair !== undefined && { repair }
}))

const text = (description: string) => Type.Optional(Type.String({ description }))

export default [
  tool(readProfiles, {
    name: 'list_slicing_profiles',
    onRequest: true,
    description: 'Slicers, materials, qualities; whether a person allowed the start code',
    errors: 'coded',
    closedWorld: false
  }),
  tool(arrangeModels, {
    name: 'arrange_models',
    onRequest: true,
    description: 'Picture of models on the bed',
    errors: 'coded',
    closedWorld: false,
    shows: 'pictures',
    params: Type.Object(ofModels),
    input: params => ({ parts: partsOf(params) }),
    pictures: ({ png }) => [{ bytes: png }],
    answer: Type.Omit(arrangeModels.output, ['png', 'excluded']),
    result: ({ png: _, excluded: __, ...said }) => said
  }),
  tool(sliceModels, {
    name: 'slice_model',
    onRequest: true,
    description: 'Slice models to a plate in the library, for queue_job. Heats nothing',
    errors: 'coded',
    idempotent: false,
    shows: 'pictures',
    params: Type.Object({
      ...ofModels,
      material: text('PLA, PETG…'),
      quality: text('fine, standard, draft, strong'),
      profile: text('Imported one'),
      supports: Type.Optional(Type.Boolean({ description: 'Under overhangs' })),
      infill: Type.Optional(Type.Integer({ description: 'Per cent' })),
      plate_name: text('Of the file')
    }),
    input: ({ material, quality, profile, supports, infill, plate_name: name, ...models }) => ({
      parts: partsOf(models),
      ...material !== undefined && { material },
      ...quality !== undefined && { quality: quality as QualityProfile['name'] },
      ...profile !== undefined && { profile },
      ...supports !== undefined && { supports },
      ...infill !== undefined && { infill },
      ...name !== undefined && { name }
    }),
    pictures: ({ png }) => png.length > 0 ? [{ bytes: png }] : [],
    answer: Type.Omit(sliceModels.output, ['png']),
    result: ({ png: _, ...said }) => said
  })
]
