import { Type, type Static } from 'typebox'

export const CardPath = Type.String({ description: 'Full path on the card' })
/** Deep enough for the reference; children have the same shape. */
export const Node = Type.Object({
  id: Type.String({ description: 'Full path; of a folder with a slash at the end' }),
  name: Type.String(),
  timestamp: Type.Optional(Type.Number({ description: 'Seconds since 1970, UTC' })),
  size: Type.Optional(Type.Integer({ description: 'Bytes; files only' })),
  children: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }), { description: 'Folders only' }))
})
export const Tree = Type.Union([Node, Type.Null()])
export const Contents = Type.Object({ contents: Tree })
export type Contents = Static<typeof Contents>
