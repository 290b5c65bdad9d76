import { Type, type Static } from 'typebox'

export const Options = Type.Object({
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Where the service is, for rules at sunrise and sunset; degrees, north is positive' })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, east is positive' })),
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: "Zone of times that name none, such as `Europe/Berlin`. Left out: the computer's" })),
  mostPerHour: Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000, description: 'Runs of all rules together in an hour' }),
  keepDays: Type.Integer({ minimum: 1, maximum: 3_650, default: 90, description: 'How long runs are kept in the log' })
})
export type Options = Static<typeof Options>
