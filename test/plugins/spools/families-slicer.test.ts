import t from 'tap'
import { bookedInEveryModel } from './families.js'

t.test('prints that a slicer started are booked to the spools that gave them', async t => {
  await bookedInEveryModel(t, 'slicer')
})
