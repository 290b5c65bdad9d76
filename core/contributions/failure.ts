import { Type } from 'typebox'

/** Body of a failed request. */
export const Failure = Type.Object({
  status: Type.Literal('error'),
  error: Type.Optional(Type.String({ description: 'What went wrong, for programs; some routes have the sentence here' })),
  reason: Type.String({ description: 'What went wrong and what to do, for people' }),
  message: Type.Optional(Type.String({ description: 'The reason once more' })),
  detail: Type.Optional(Type.String({ description: 'More about the reason' })),
  stacktrace: Type.Optional(Type.String({ description: 'Empty unless the log level is DEBUG' })),
  retry_after: Type.Optional(Type.Integer({ description: 'Seconds after which to try again' }))
}, { 'x-name': 'Failure', additionalProperties: true, description: 'A failure; some say more in members of their own' })
