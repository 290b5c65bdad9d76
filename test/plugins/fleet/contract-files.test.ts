import t from 'tap'
import { HTTP } from '../../contract/http.data.js'
import { routesWork } from '../../contract/http.good.js'
import { isOf } from '../../contract/rows.js'
import { TOOLS } from '../../contract/tools.data.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'
import { readsAreSame, toolReadsAreSame } from './same.js'

const ROUTES = HTTP.filter(isOf('files'))
const OFFERED = TOOLS.filter(isOf('files'))

/** That tools reach another service is tested in contract-tools.test.ts. */
t.test('cards and projects at a hub', { skip: NO_NATS }, async t => {
  const both = await startAtHub(t, { samples: true })

  await t.test('what is read is the same, byte for byte', async t => {
    await readsAreSame(t, both, ROUTES)
    await toolReadsAreSame(t, both, OFFERED)
  })

  await t.test('every route does there what it says', t => routesWork(t, both.atHub, ROUTES))
})
