import t from 'tap'
import { bookedInEveryModel } from './families.js'

t.test('prints of which nothing but the place in use is told are booked to the spools that gave them', async t => {
  await bookedInEveryModel(t, 'screen')
})
