import t from 'tap'
import { startFleet } from './fleet.js'
import { isOf } from './rows.js'
import { TOOLS } from './tools.data.js'
import { areOffered, toolsWork } from './tools.good.js'

const ROWS = TOOLS.filter(isOf('files'))

t.test('every tool for cards and projects does what it says, on every family', async t => {
  const fleet = await startFleet(t, { samples: true })
  t.equal(ROWS.length, 21)
  await areOffered(t, fleet, ROWS)
  await toolsWork(t, fleet, ROWS)
})
