import t from 'tap'
import { NewestPrints, type Newest } from '../../../../plugins/history/newest-prints.js'
import type { Print } from '../../../../plugins/history/types.js'

const OWNER = { serial: 'S', printer: 'x1c', model: 'X1C' }
const RUNS = { id: 'a', result: 'running' } as Print

t.test('what is in the record was stored for the next start before', async t => {
  const steps: string[] = []
  let finish = (): void => {}
  const prints = new NewestPrints({
    newest: {},
    persist: async (newest: Newest) => {
      steps.push(`stores ${Object.keys(newest).join()}`)
      await new Promise<void>(resolve => { finish = resolve })
    },
    save: ({ id }) => { steps.push(`records ${id}`) },
    steady: () => 1
  })
  prints.store(RUNS, OWNER)
  t.same(steps, ['stores S'])
  finish()
  await prints.saved()
  t.same(steps, ['stores S', 'records a'])
})

t.test('a print is saved again after half a minute, and was seen only as long as it is this one', async t => {
  let now = 100
  const prints = new NewestPrints({ newest: { S: RUNS }, persist: async () => {}, save () {}, steady: () => now })
  t.ok(prints.isSaveDue('S'), 'never saved by this service')
  prints.store(RUNS, OWNER)
  prints.noteSeen('S')
  now += 29
  t.notOk(prints.isSaveDue('S'))
  t.equal(prints.unseenFor('S'), 29)
  now += 1
  t.ok(prints.isSaveDue('S'))
  prints.replace('S', { ...RUNS, id: 'b' })
  t.equal(prints.unseenFor('S'), undefined)
  t.equal(prints.serialOf('b'), 'S')
  t.equal(prints.serialOf('a'), undefined)
  prints.remove('S')
  t.same(prints.all, [])
})
