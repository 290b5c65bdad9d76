import t from 'tap'
import { bookedInEveryModel } from './families.js'

t.setTimeout(120_000)

t.test('one half of the models: prints that the service started are booked to the spools that gave them', async t => {
  await bookedInEveryModel(t, 'ours', 0)
})
