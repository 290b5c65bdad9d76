import { Type, type Static } from 'typebox'
import { Secret } from '../../core/index.js'

export const Options = Type.Object({
  spoolman: Type.Optional(Type.Object({
    url: Type.String({ pattern: '^https?://', description: 'Address of Spoolman, `http://host:7912`' }),
    token: Type.Optional(Secret('Sent as a bearer token, for a proxy that requires one')),
    tagField: Type.String({
      default: 'tag', minLength: 1, maxLength: 64, description: 'Extra field of spools with the number of their RFID tag'
    })
  }, { description: 'Manages the spools; uses by prints are reported to it' }))
})
export type Options = Static<typeof Options>
