import t from 'tap'
import { CONTROL, isOf } from '../../contract/rows.js'
import { TOOLS } from '../../contract/tools.data.js'
import { toolsWork } from '../../contract/tools.good.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'
import { toolReadsAreSame } from './same.js'

const ROWS = TOOLS.filter(isOf(...CONTROL))

t.test('the tools at a hub', { skip: NO_NATS }, async t => {
  const both = await startAtHub(t)

  await t.test('what is read is the same, byte for byte', t => toolReadsAreSame(t, both, ROWS))

  await t.test('every tool does there what it says, and the printers hear the same', async t => {
    await toolsWork(t, both.atHub, ROWS)
  })
})
