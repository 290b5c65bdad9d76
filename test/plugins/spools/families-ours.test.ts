import t from 'tap'
import { bookedInEveryModel } from './families.js'

t.setTimeout(240_000)

t.test('prints that the service started are booked to the spools that gave them', async t => {
  await bookedInEveryModel(t, 'ours')
})
