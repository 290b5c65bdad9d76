import { Type, type Static } from 'typebox'

export const Options = Type.Object({
  fonts: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    maxItems: 10,
    description: 'Font files (TTF, OTF, TTC, WOFF2) for letters that the built-in font lacks; those of the system follow'
  })
})
export type Options = Static<typeof Options>
