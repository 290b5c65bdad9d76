import { Type, type Static } from 'typebox'

export const CardPath = Type.String({ description: 'Full path on the card' })
export const Node = Type.Object({
  id: Type.String({ description: 'Full path; of a folder with a slash at the end' }),
  name: Type.String({ description: 'Last part of the path' }),
  timestamp: Type.Optional(Type.Number({ description: 's since the epoch; 0 unknown. Not of the root' })),
  size: Type.Optional(Type.Integer({ description: 'Bytes; files only' })),
  children: Type.Optional(Type.Array(Type.Unsafe<object>({ 'x-ref': 'CardEntry' }), { description: 'Folders only' }))
}, { 'x-name': 'CardEntry' })
/** Null if the card was not listed yet. */
export const Tree = Type.Union([Node, Type.Null()])
export const Contents = Type.Object({
  contents: Tree,
  warning: Type.Optional(Type.String({ description: 'What to know of a file that no printer can print' }))
})
export type Contents = Static<typeof Contents>
