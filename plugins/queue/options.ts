import { Type, type Static } from 'typebox'

const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

export const Hours = Type.Object({
  from: Clock,
  to: Clock,
  days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1 }))
}, { description: 'Working hours, in which prints are started: `from`, `to`, and `days` from 1 Monday to 7 Sunday' })

export const LONGEST_SPACING_S = 86_400

export const MOST_FAILURES = 20
const MostFailures = Type.Integer({
  minimum: 0, maximum: MOST_FAILURES, description: 'The same as `stopAfterFailures` of the queue, for the printers of the group'
})

export const Group = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  printers: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { description: 'Names of its printers' }),
  hours: Type.Optional(Hours),
  spacingSeconds: Type.Integer({ minimum: 0, maximum: LONGEST_SPACING_S, default: 0, description: 'Least time between the starts of two prints' }),
  selfClearing: Type.Boolean({ default: false, description: 'Its printers remove finished prints by themselves' }),
  stopAfterFailures: Type.Optional(MostFailures)
})
export type Group = Static<typeof Group>

export const Options = Type.Object({
  groups: Type.Array(Group, {
    default: [], description: 'Printers that belong together; a printer may be in several. Left out: those that were made on the page'
  }),
  stopAfterFailures: Type.Integer({
    minimum: 0,
    maximum: MOST_FAILURES,
    default: 2,
    description: 'After so many failed prints in a row the queue holds a printer until a person releases it; 0: never'
  }),
  fileMiB: Type.Integer({ minimum: 1, maximum: 4096, default: 512, description: 'Largest file of the library' }),
  libraryMiB: Type.Integer({ minimum: 1, default: 8192, description: 'Most that all files of the library may take' })
})
export type Options = Static<typeof Options>
