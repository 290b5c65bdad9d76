import t from 'tap'
import { HTTP } from '../../contract/http.data.js'
import { routesWork } from '../../contract/http.good.js'
import { CONTROL, isOf } from '../../contract/rows.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'
import { readsAreSame } from './same.js'

const ROWS = HTTP.filter(isOf(...CONTROL))

t.test('the contract at a hub', { skip: NO_NATS }, async t => {
  const both = await startAtHub(t)
  const { atHub } = both

  await t.test('what is read is the same, byte for byte', t => readsAreSame(t, both, ROWS))

  await t.test('every route does there what it says, and the printers hear the same', async t => {
    await routesWork(t, atHub, ROWS)
  })
})
