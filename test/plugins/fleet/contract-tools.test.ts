import t from 'tap'
import { CONTROL, isOf } from '../../contract/rows.js'
import { TOOLS } from '../../contract/tools.data.js'
import { toolsWork } from '../../contract/tools.good.js'
import { casesOf, complete, takesPrinter } from '../../contract/tools.walk.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'

/** A hub has no sessions of its own, so it does not offer these. */
const OF_SESSIONS = new Set(['remove_printer', 'start_printer', 'disconnect_printer', 'update_printer_credentials', 'add_printer'])

const ROWS = TOOLS.filter(isOf(...CONTROL)).filter(row => takesPrinter(row) && !OF_SESSIONS.has(row.name))

t.test('the tools at a hub', { skip: NO_NATS }, async t => {
  const { node, atHub } = await startAtHub(t)

  await t.test('what is read is the same, byte for byte', async t => {
    for (const row of ROWS.filter(({ kind }) => kind === 'read')) {
      for (const { args } of casesOf(row).good) {
        const ask = complete(row, args, 'h2d')
        const [there, here] = [await node.tool(row.name, ask), await atHub.tool(row.name, ask)]
        t.same([here.failed, here.text, here.value], [there.failed, there.text, there.value],
          `${row.name} ${JSON.stringify(args)}`)
      }
    }
  })

  await t.test('every tool does there what it says, and the printers hear the same', async t => {
    await toolsWork(t, atHub, ROWS)
  })
})
