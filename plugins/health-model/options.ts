import { Type, type Static } from 'typebox'
import { SecretReference } from '../../core/index.js'
import { REMOTE_URL } from './remote-settings.js'

const Trust = (description: string) => Type.Number({ minimum: 0, maximum: 1, default: 1, description })

export const Options = Type.Object({
  trust: Trust('Weight of networks against the comparison of pictures: 1 networks only, 0 ignores them'),
  builtIn: Type.Optional(Type.Boolean({
    description: 'Whether the built-in network judges, which needs the runtime. By default it does while no other is added'
  })),
  cameras: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
    default: {}, description: '`trust` for single printers, by name'
  }),
  remote: Type.Optional(Type.Object({
    url: Type.String({
      pattern: REMOTE_URL,
      description: 'A server that answers `GET /p/?img=ADDRESS` as Obico\'s ml_api does. It receives every picture that is judged'
    }),
    token: Type.Optional(SecretReference),
    ownAddress: Type.Optional(Type.String({
      description: 'How the server reaches this machine; detected when left out'
    })),
    ownPort: Type.Optional(Type.Integer({
      minimum: 1, maximum: 65_535, description: 'Where it fetches the pictures; any free one when left out'
    }))
  }, { additionalProperties: false }))
})
export type HealthModelOptions = Static<typeof Options>
