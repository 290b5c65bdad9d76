import t from 'tap'
import { startFleet } from './fleet.js'
import { HTTP } from './http.data.js'
import { areServed, routesWork } from './http.good.js'
import { isOf } from './rows.js'

const ROWS = HTTP.filter(isOf('files'))

t.test('every route for cards and projects does what it says, on every family and every way it is asked', async t => {
  const fleet = await startFleet(t, { samples: true })
  t.equal(ROWS.length, 28)
  await areServed(t, fleet, ROWS)
  await routesWork(t, fleet, ROWS)
})
