import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prefixesOf } from '../../../plugins/management/catalogue/refresh.js'
import { fetchCatalogue, type FetchOptions } from '../../../plugins/management/catalogue/fetch-catalogue.js'
import { eventually } from '../../helpers/eventually.js'
import { empty } from './preset.js'
import { testFolder } from '../../helpers/folder.js'

const TEXTS = {
  data: {
    device_hms: { en: [{ ecode: '0300010000010001', intro: 'Vendor words\nin two lines' }, { ecode: 'x', intro: 'no code' }], de: [] },
    device_error: { en: [{ ecode: '0300400c', intro: 'Cancelled, says the vendor' }, { ecode: '03009999', intro: '' }] }
  }
}
const ACTIONS = {
  data: [
    { ecode: '03008001', device: '01P', actions: [2, 5] },
    { ecode: '03008001', device: 'default', actions: [1] },
    { ecode: 'bad', device: '01P', actions: [] }
  ]
}

const good: RequestListener = ({ url = '' }, reply) => {
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify(url.startsWith('/query.php') ? TEXTS : ACTIONS))
}

async function vendor (t: Test, listener: RequestListener = good) {
  const asked: string[] = []
  const server = createServer((request, reply) => { asked.push(request.url ?? ''); listener(request, reply) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const fetching = (url: string, more: Partial<FetchOptions> = {}) => fetchCatalogue({
  url, language: 'en', prefixes: ['01P', '00M'], signal: new AbortController().signal, now: () => 5, ...more
})

t.test('texts and buttons are fetched, for each model that is asked for', async t => {
  const { url, asked } = await vendor(t)
  const steps: string[] = []
  t.same(await fetching(url, { onStep: step => steps.push(step) }), {
    version: 1,
    fetchedAt: 5,
    language: 'en',
    texts: { '0300010000010001': 'Vendor words in two lines', '0300400C': 'Cancelled, says the vendor', '03009999': '' },
    actions: { '01P': { '03008001': [2, 5] } }
  })
  t.same(asked, ['/query.php?lang=en&d=01P', '/query.php?lang=en&d=00M', '/hms/GetActionImage.php'])
  t.same(steps, ['Texts for 01P', 'Texts for 00M', 'Buttons'])
})

t.test('whatever else comes is refused with its reason', async t => {
  const cases: readonly [RequestListener, RegExp, Partial<FetchOptions>?][] = [
    [(_, reply) => { reply.statusCode = 503; reply.end() }, /status 503$/],
    [(_, reply) => { reply.end('<html>') }, /JSON/],
    [(_, reply) => { reply.end('{"data":[]}') }, /its format is not as expected/],
    [(_, reply) => { reply.end('{"data":{"device_hms":{"en":[{"ecode":1}]}}}') }, /device_hms texts have another form/],
    [(_, reply) => { reply.end('{"data":{}}') }, /no texts in the language 'en'/],
    [(_, reply) => { reply.end(JSON.stringify(TEXTS)) }, /larger than 50 bytes/, { mostBytes: 50 }],
    [() => {}, /no answer in time/, { withinMs: 60 }],
    [(_, reply) => { reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }, /fetch failed/],
    [(request, reply) => { request.socket.destroy(); reply.destroy() }, /fetch failed/]
  ]
  for (const [listener, reason, more] of cases) {
    const { url } = await vendor(t, listener)
    await t.rejects(fetching(url, more), { code: 'PRN_ERR_NO_CATALOGUE', message: reason })
  }
  await t.rejects(fetching('http://127.0.0.1:1'), { message: /^The fault texts could not be fetched: http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED|bad port/ })
})

t.test('which models are asked for', async t => {
  t.same(prefixesOf(['01P00A1', '01P00A2', '00M00A1', 'x']), ['01P', '00M'])
  t.same(prefixesOf([]), ['00M'])
})

t.test('nothing is fetched unless it is wanted', async t => {
  const { url, asked } = await vendor(t)
  const { kernel } = await empty(t, { config: { plugins: { management: { catalog: { url } } } } })
  await new Promise(resolve => setTimeout(resolve, 100))
  t.same(asked, [])
  t.equal(kernel.hms.describe({ digits: '0300400C' }), 'The job was cancelled.')
})

t.test('a background refresh shows the texts, keeps them, and rests until they are old', async t => {
  const { url, asked } = await vendor(t)
  const dataDir = testFolder(t)
  const config = { dataDir, plugins: { management: { catalog: { url, refresh: true } } } }
  const first = await empty(t, { config })
  await eventually(() => first.kernel.hms.describe({ digits: '0300400C' }) === 'Cancelled, says the vendor')
  t.equal(first.kernel.hms.describe({ digits: '03009999' }), 'No description in the HMS catalogue')
  t.equal(first.kernel.hms.describe({ digits: '03008002' }), 'The first layer has defects. Look at it, then resume or stop.')
  await eventually(() => stat(join(dataDir, 'catalogue', 'faults.json')))
  t.equal(asked.length, 2)
  const second = await empty(t, { config })
  t.equal(second.kernel.hms.describe({ digits: '0300400C' }), 'Cancelled, says the vendor')
  t.same(second.kernel.hms.actions('03008001', '01P00A000000001').map(({ id }) => id), [2, 5])
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(asked.length, 2)
})

t.test('a refresh that fails leaves everything as it was', async t => {
  const { url, asked } = await vendor(t, (_, reply) => { reply.end('nonsense') })
  const dataDir = testFolder(t)
  const config = { dataDir, plugins: { management: { catalog: { url, refresh: true } } } }
  const { kernel } = await empty(t, { config })
  await eventually(() => asked.length > 0)
  await new Promise(resolve => setTimeout(resolve, 100))
  await t.rejects(stat(join(dataDir, 'catalogue', 'faults.json')), { code: 'ENOENT' })
  t.equal(kernel.hms.describe({ digits: '0300400C' }), 'The job was cancelled.')
})
