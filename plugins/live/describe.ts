import { Type } from 'typebox'
import type { Services } from '../../core/index.js'
import { API_PREFIX, TooManyFromAddress } from '../http/index.js'
import { TooManyListeners } from './errors.js'
import type { LiveTopic } from './topics.js'

const summaryOf = ({ name, description }: LiveTopic) => `\`${name}\`: ${description}`

/** What the description of the API says of the stream. */
export const streamSchema = (topics: readonly LiveTopic[], failures: Services['http']['failures']) => ({
  operationId: 'getLive',
  summary: 'News of the printers as they happen',
  description: 'Server-Sent Events; the same messages come over a WebSocket to callers that ask for an upgrade. Each is ' +
    `JSON: \`{ id, topic, printer, at, data }\`. Topics: ${topics.map(summaryOf).join('; ')}.`,
  tags: ['System'],
  querystring: Type.Object({
    printer: Type.Optional(Type.String({
      description: 'Only news of this printer. Left out: of all printers; the default printer has no part in it'
    })),
    topics: Type.Optional(Type.String({ description: 'Names with commas between them; left out: all' })),
    last_event_id: Type.Optional(Type.String({
      description: 'Id of the last message that was received, for callers that cannot send the header Last-Event-ID'
    }))
  }),
  response: {
    ...failures({ method: 'GET', errors: [TooManyFromAddress, TooManyListeners] }, `${API_PREFIX}/live`),
    200: { description: 'The stream', content: { 'text/event-stream': { schema: Type.String() } } }
  }
})
