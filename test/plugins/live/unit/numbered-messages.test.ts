import t from 'tap'
import type { Message } from '../../../../plugins/live/message.js'
import { NumberedMessages } from '../../../../plugins/live/numbered-messages.js'

const send = (messages: NumberedMessages, printer = 'p1s'): string => {
  const { id, count } = messages.next()
  messages.add({ id, count, topic: 'alerts', printer } as Message)
  return id
}
const all = () => true

t.test('a listener gets the messages after its last one', t => {
  const messages = new NumberedMessages()
  const [first = '', ...later] = [send(messages), send(messages), send(messages, 'x1c')]
  const missed = messages.since(first, all)
  t.strictSame([missed.messages.map(({ id }) => id), missed.hasGap], [later, false])
  t.strictSame(messages.since(first, ({ printer }) => printer === 'x1c').messages.map(({ id }) => id), later.slice(1))
  messages.forget('p1s')
  t.strictSame(messages.since(first, all).messages.map(({ id }) => id), later.slice(1))
  t.end()
})

t.test('to a listener of an earlier run every message is new, and some are missing', t => {
  const messages = new NumberedMessages()
  const ids = [send(messages), send(messages)]
  for (const since of ['00000000-1', 'nothing', '']) {
    const missed = messages.since(since, all)
    t.strictSame([missed.messages.map(({ id }) => id), missed.hasGap], [ids, true], since)
  }
  t.end()
})
