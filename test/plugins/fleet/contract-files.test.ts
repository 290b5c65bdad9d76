import t from 'tap'
import { HTTP } from '../../contract/http.data.js'
import { routesWork } from '../../contract/http.good.js'
import { isOf } from '../../contract/rows.js'
import { TOOLS } from '../../contract/tools.data.js'
import { toolsWork } from '../../contract/tools.good.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'

t.test('cards and projects at a hub', { skip: NO_NATS }, async t => {
  const { atHub } = await startAtHub(t, { samples: true })

  await t.test('every route does there what it says', async t => {
    await routesWork(t, atHub, HTTP.filter(isOf('files')))
  })

  await t.test('every tool does', async t => {
    await toolsWork(t, atHub, TOOLS.filter(isOf('files')))
  })
})
