import t from 'tap'
import { startFleet, type Fleet, type Reply } from '../../contract/fleet.js'
import { routesWork } from '../../contract/http.good.js'
import { HTTP } from '../../contract/http.data.js'
import { casesOf, idOf, named, takesPrinter } from '../../contract/http.walk.js'
import { requestOf } from '../../contract/request.js'
import { CONTROL, isOf } from '../../contract/rows.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub } from './fleet.js'

/** A hub has no printers of its own to manage, and says other things of itself. */
const OF_THE_SERVICE = /printers$|server_info|log_level|log_file|dump_log|default_printer|discover|add_printer|remove_printer/

const ROWS = HTTP.filter(isOf(...CONTROL)).filter(row => takesPrinter(row) && !OF_THE_SERVICE.test(row.path))

t.test('the contract at a hub', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const node = await startFleet(t, {
    config: { plugins: { fleet: { servers: [nats.url], site: 'hall', node: 'a' } } }
  })
  const hub = await bootHub(t, { servers: [nats.url] }, node.names)

  const atHub: Fleet['inject'] = async request => {
    const { statusCode: status, headers, body: text, rawPayload: bytes } = await hub.kernel.app.inject(request)
    let body: unknown
    try { body = JSON.parse(text) } catch {}
    return { status, type: headers['content-type'] as string | undefined, headers, text, bytes, body } satisfies Reply
  }

  await t.test('what is read is the same, byte for byte', async t => {
    for (const row of ROWS.filter(({ method }) => method === 'GET')) {
      for (const { params } of casesOf(row).good) {
        const request = requestOf(row, 'query', named(row, params, 'h2d'))
        const [there, here] = [await node.inject(request), await atHub(request)]
        t.same([here.status, here.type, here.text], [there.status, there.type, there.text], `${idOf(row)} ${JSON.stringify(params)}`)
      }
    }
  })

  await t.test('every route does there what it says, and the printers hear the same', async t => {
    await routesWork(t, { ...node, inject: atHub, described: { ...node.described, has: () => true } }, ROWS)
  })
})
