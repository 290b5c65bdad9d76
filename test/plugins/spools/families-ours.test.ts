import t from 'tap'
import { bookedInEveryModel } from './families.js'

t.test('prints that the service started are booked to the spools that gave them', async t => {
  await bookedInEveryModel(t, 'ours')
})
