import t from 'tap'
import { oneFleet } from './fleet.js'
import { GROUPS, HTTP } from './http.data.js'
import { areServed, routesWork } from './http.good.js'
import { idOf } from './http.walk.js'
import { CONTROL, isOf } from './rows.js'

const fleetOnce = oneFleet(t)
const ROWS = HTTP.filter(isOf(...CONTROL))

t.test('the table holds every route', async t => {
  t.equal(HTTP.length, 99, 'pairs of method and path')
  t.equal(new Set(HTTP.map(idOf)).size, 99, 'each once')
  t.equal(new Set(HTTP.map(({ path }) => path)).size, 95, 'paths')
  const counted = GROUPS.map(group => HTTP.filter(row => row.group === group && !row.second).length)
  t.same(counted, [35, 8, 9, 10, 10, 23, 1], 'entries of each group')
})

t.test('what exists is served and described, and nothing else below the API', async t => {
  await areServed(t, await fleetOnce(), ROWS)
})

t.test('every route does what it says, on every family and every way it is asked', async t => {
  await routesWork(t, await fleetOnce(), ROWS)
})
