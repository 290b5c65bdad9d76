import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { Brand, Material, typeFields } from '../inventory-schemas.js'
import { CATALOGUE_LINES, findLines } from './find-lines.js'

const MOST = 50

export const searchCatalogue = operation({
  name: 'spools.catalogue',
  summary: 'Lines of common brands, with weights, density and temperatures, to make types of spools from',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    text: Type.Optional(Type.String({ maxLength: 100, description: 'Every word is in brand, line, material or colour' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: MOST }))
  }),
  output: Type.Object({
    lines: Type.Array(Type.Object({ id: Type.String(), brand: Brand, material: Material, ...typeFields })),
    total: Type.Integer({ description: 'Lines of the catalogue' }),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the user\'s own file cannot be read' })
  }),
  async run ({ services: { spools } }, { text = '', limit = MOST }) {
    const { lines: own, problem = null } = await spools.ownLines()
    const all = [...own, ...CATALOGUE_LINES]
    return { lines: findLines(all, text, limit), total: all.length, problem }
  }
})
