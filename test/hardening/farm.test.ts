import t from 'tap'
import { farmDay } from './farm/day.js'

t.test('a farm whose service is killed prints each copy once, on a clear plate, and records it', async t => {
  const day = await farmDay({ printers: 4, jobs: 12, kills: 2, seed: 3 })
  t.match(day, { wrongJobs: [], onUsedPlate: [], toldTwice: [], differences: [], kills: 2 })
  t.same([day.printed, day.counted], [day.asked, day.asked])
})
