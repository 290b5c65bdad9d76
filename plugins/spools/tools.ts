import { Type } from 'typebox'
import { pagesOf, tool } from '../../core/index.js'
import { assignSpool, listSpools } from './operations.js'

const text = Type.String()

export default [
  tool(listSpools, {
    name: 'list_spools',
    description: 'Known spools, grams left, and the slots of all printers',
    errors: 'coded',
    pages: pagesOf('spools', 'slots', 'open_uses'),
    params: Type.Object({}),
    input: () => ({})
  }),
  tool(assignSpool, {
    name: 'assign_spool',
    description: 'Say which spool is in a slot',
    errors: 'coded',
    params: Type.Object({
      name: text,
      unit_id: Type.Optional(Type.Integer()),
      slot_id: Type.Optional(Type.Integer({ description: '0-3; holders 254, 255', 'x-openapi': { required: true } })),
      spool: text,
      place: Type.Optional(Type.String({ 'x-unlisted': true }))
    }),
    input: ({ name: printer, ...rest }) => ({ printer, ...rest })
  })
]
