import t from 'tap'
import { reportStillWorking } from '../../../../plugins/mcp/still-working.js'
import { eventually } from '../../../helpers/eventually.js'

t.test('work that says nothing is said to go on, until it ends', async t => {
  const told: { done: number, message: string | undefined }[] = []
  const answer = await reportStillWorking((done, _, message) => { told.push({ done, message }) }, async () => {
    await eventually(() => told.length >= 3)
    return 'done'
  }, 2)
  t.equal(answer, 'done')
  t.ok(told.every(({ message }) => message === 'Still working'))
  t.same(told.map(({ done }) => done), told.map(({ done }) => done).sort((a, b) => a - b), 'with numbers that grow')
})

t.test('work that says how far it has come speaks for itself', async t => {
  const told: unknown[] = []
  await reportStillWorking((...said) => { told.push(said) }, async progress => {
    progress(1, 2, 'half')
    const before = Date.now()
    await eventually(() => Date.now() - before > 20)
  }, 2)
  t.same(told, [[1, 2, 'half']])
})
