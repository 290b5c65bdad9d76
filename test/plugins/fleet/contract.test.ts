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

  await t.test('what a hub does not have says so', async t => {
    for (const url of ['/api/queue', '/api/queue/jobs/17']) {
      const { status, body } = await atHub.inject({ url })
      t.match({ status, body }, { status: 501, body: { error: 'not_at_hub', reason: /^A hub has no/ } }, url)
    }
  })
})
