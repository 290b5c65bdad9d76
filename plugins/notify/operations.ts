import { Type } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { positionOf, STATUSES } from './deliveries.js'
import { NoTarget, NotTaken } from './errors.js'
import { Listing } from './schemas.js'

const MOST_ROWS = 200
const USUAL_ROWS = 50

const Name = Type.String({ minLength: 1, maxLength: 40 })

export const listMessages = operation({
  name: 'notify.list',
  summary: 'Message targets, and messages with their status',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    target: Type.Optional(Name),
    status: Type.Optional(Type.Enum(STATUSES)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'From the previous page' }))
  }),
  output: Listing,
  async run ({ services: { messages } }, { limit = USUAL_ROWS, cursor, ...filter }) {
    const position = cursor === undefined ? undefined : positionOf(cursor)
    if (cursor !== undefined && position === undefined) throw new BadInput('cursor must be that of an earlier page')
    return { targets: [...messages.targets()], ...await messages.page(filter, limit, position) }
  }
})

export const sendTestMessage = operation({
  name: 'notify.sendTest',
  summary: 'Send a test message to a target',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'A message is sent; nothing on a printer changes.',
  input: Type.Object({ target: Name }),
  output: Type.Object({ target: Type.String() }),
  errors: [NoTarget, NotTaken],
  async run ({ services: { messages }, signal }, { target }) {
    await messages.sendTest(target, signal)
    return { target }
  }
})
