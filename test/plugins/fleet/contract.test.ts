import t from 'tap'
import { routesWork } from '../../contract/http.good.js'
import { HTTP } from '../../contract/http.data.js'
import { casesOf, idOf, named, takesPrinter } from '../../contract/http.walk.js'
import { requestOf } from '../../contract/request.js'
import { CONTROL, isOf } from '../../contract/rows.js'
import { NO_NATS } from '../../helpers/nats.js'
import { startAtHub } from './at-hub.js'

/** A hub has no printers of its own to manage, and says other things of itself. */
const OF_THE_SERVICE = /printers$|server_info|log_level|log_file|dump_log|default_printer|discover|add_printer|remove_printer/

const ROWS = HTTP.filter(isOf(...CONTROL)).filter(row => takesPrinter(row) && !OF_THE_SERVICE.test(row.path))

t.test('the contract at a hub', { skip: NO_NATS }, async t => {
  const { node, atHub } = await startAtHub(t)

  await t.test('what is read is the same, byte for byte', async t => {
    for (const row of ROWS.filter(({ method }) => method === 'GET')) {
      for (const { params } of casesOf(row).good) {
        const request = requestOf(row, 'query', named(row, params, 'h2d'))
        const [there, here] = [await node.inject(request), await atHub.inject(request)]
        t.same([here.status, here.type, here.text], [there.status, there.type, there.text], `${idOf(row)} ${JSON.stringify(params)}`)
      }
    }
  })

  await t.test('every route does there what it says, and the printers hear the same', async t => {
    await routesWork(t, atHub, ROWS)
  })

  await t.test('what a hub does not have says so', async t => {
    for (const url of ['/api/queue', '/api/recordings', '/api/recordings/17', '/api/recording_settings']) {
      const { status, body } = await atHub.inject({ url })
      t.match({ status, body }, { status: 501, body: { error: 'not_at_hub', reason: /^A hub has no/ } }, url)
    }
  })
})
