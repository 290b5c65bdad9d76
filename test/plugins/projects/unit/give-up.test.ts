import t from 'tap'
import { giveUpStart } from '../../../../plugins/projects/operations/give-up.js'

/** A printer with a start that was sent at that time, and a queue that waits for one of another time. */
function at (sentAt: number | undefined, queueAt?: number, during: (session: { context: object }) => void = () => {}) {
  const done = { session: 0, queue: 0 }
  const asked: object[] = []
  const start = sentAt === undefined ? undefined : { subtaskName: 'vase', taskId: '7', at: sentAt, accepted: true, outcome: undefined }
  const context = {
    session: {
      name: 'x1c', state: { job: { gcodeState: 'FINISH' } }, context: { start }, giveUpStart: () => { done.session++; return sentAt !== undefined }
    },
    kernel: { now: () => 60_000 },
    services: {
      projects: {
        async givenUp (session: { context: object }, _by: string, which: { since?: number }) {
          const { since } = which
          asked.push(which)
          during(session)
          const isMeant = queueAt !== undefined && (since === undefined || since === queueAt)
          if (isMeant) done.queue++
          return isMeant
        }
      }
    },
    askedBy: 'a test',
    log: { warn () {} }
  }
  return { done, asked, giveUp: async (input: { since?: number }) => await giveUpStart.run(context as never, input) }
}

t.test('only the start that a person has seen is given up', async t => {
  const second = at(50_000)
  await t.rejects(second.giveUp({ since: 10_000 }), { code: 'PRN_ERR_OTHER_START', statusCode: 409 })
  t.same(second.done, { session: 0, queue: 0 }, 'it is still pending')
  t.match(await second.giveUp({ since: 50_000 }), { printer: 'x1c', job: 'vase' })
  t.match(await at(50_000).giveUp({}), { job: 'vase' }, 'whichever it is')
})

t.test('and so it is for a start that only the queue knows', async t => {
  const known = at(undefined, 50_000)
  await t.rejects(known.giveUp({ since: 10_000 }), { code: 'PRN_ERR_NO_PENDING_START' })
  t.equal(known.done.queue, 0)
  await known.giveUp({ since: 50_000 })
  t.equal(known.done.queue, 1)
})

t.test('a start that is sent while the queue looks stays', async t => {
  const next = { subtaskName: 'next', taskId: '8', at: 59_000, accepted: true, outcome: undefined }
  const one = at(50_000, undefined, session => { session.context = { start: next } })
  await t.rejects(one.giveUp({ since: 50_000 }), { code: 'PRN_ERR_OTHER_START' })
  t.equal(one.done.session, 0)
  t.same(one.asked, [{ task: '7' }], 'the queue gives up only a run of that start')
})
