import { Type, type Static } from 'typebox'
import { STATUSES } from './deliveries.js'

const Nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const MessageView = Type.Object({
  id: Type.String({ description: 'The same in every attempt' }),
  created_at: Type.Integer({ description: 'ms since the epoch' }),
  target: Type.String(),
  printer: Type.String(),
  alert: Type.String({ description: 'Type, such as job_finished' }),
  title: Type.String(),
  text: Type.String(),
  attachment: Type.Enum(['none', 'picture', 'clip']),
  status: Type.Enum(STATUSES),
  attempts: Type.Integer(),
  due_at: Type.Integer({ description: 'Next attempt of a waiting one, ms since the epoch' }),
  ended_at: Type.Union([Type.Integer(), Type.Null()], { description: 'ms since the epoch' }),
  problem: Nullable('Why the last attempt failed')
}, { 'x-name': 'Message' })
export type MessageView = Static<typeof MessageView>

export const Listing = Type.Object({
  targets: Type.Array(Type.Object({
    name: Type.String(),
    type: Type.String({ description: 'Such as ntfy' }),
    waiting: Type.Integer({ description: 'Messages' }),
    problem: Nullable('Why it did not accept the last message')
  }), { description: 'As configured' }),
  messages: Type.Array(MessageView, { description: 'Newest first' }),
  cursor: Nullable('For the next page')
})
export type Listing = Static<typeof Listing>
