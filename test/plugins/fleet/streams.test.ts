import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode } from './fleet.js'

const MIB = 1024 ** 2
const LARGE = randomBytes(24 * MIB)
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

t.test('streams through a hub', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const camera = { width: 320, height: 180, fps: 10 }
  const node = await bootNode(t, { servers: [nats.url], site: 'hall', node: 'a' }, {
    models: [{ model: 'X1C', camera }, { model: 'P1S', camera }], config: { plugins: { files: { uploadsMiB: 32 } } }
  })
  const hub = await bootHub(t, { servers: [nats.url] }, ['x1c', 'p1s'])
  await hub.kernel.app.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${(hub.kernel.app.server.address() as AddressInfo).port}`
  const [x1c, p1s] = node.printers
  if (x1c === undefined || p1s === undefined) throw new Error('there are two printers')
  const streamAt = ({ kernel }: typeof hub, printer: string) => {
    const session = kernel.printers.get(printer)
    if (session === undefined) throw new Error(`there is no ${printer}`)
    return kernel.services.camera.manager.stream(session)
  }

  await t.test('a file from the card is the same, to whoever takes it slowly too', async t => {
    await x1c.card.put('/large.bin', LARGE)
    const there = await node.kernel.app.inject({
      url: '/api/download_file_from_printer', query: { printer: 'x1c', src: '/large.bin' }
    })
    const response = await fetch(`${base}/api/download_file_from_printer?printer=x1c&src=/large.bin`)
    t.equal(response.status, 200)
    for (const name of ['content-length', 'content-type', 'content-disposition']) {
      t.equal(response.headers.get(name), String(there.headers[name]), name)
    }
    t.equal(hash(new Uint8Array(await response.arrayBuffer())), hash(LARGE))
    const missing = await fetch(`${base}/api/download_file_from_printer?printer=x1c&src=/none.bin`)
    t.match([missing.status, await missing.json()], [404, { error: 'file_not_found' }])
  })

  await t.test('who goes away ends it at the card', async t => {
    const leaving = new AbortController()
    const response = await fetch(`${base}/api/download_file_from_printer?printer=x1c&src=/large.bin`,
      { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await eventually(() => node.kernel.services.files.transfers.list('x1c')
      .every(({ status }) => status !== 'running'), 30_000)
    t.equal(node.kernel.services.files.transfers.list('x1c')[0]?.status === 'done', false)
  })

  await t.test('a file of the hub comes to the card, and nothing of it stays at the node', async t => {
    const uploads = join(hub.kernel.dataDir, 'uploads')
    await mkdir(uploads, { recursive: true })
    await writeFile(join(uploads, 'part.bin'), LARGE)
    const upload = (src: string, dest: string) =>
      hub.http('POST', '/api/upload_file_to_printer', { printer: 'p1s', src, dest })
    const { status, body } = await upload('part.bin', '/sent.bin')
    t.equal(status, 200, JSON.stringify(body))
    t.match(JSON.stringify(body), 'sent.bin')
    t.equal(hash(await p1s.card.get('/sent.bin') ?? Buffer.alloc(0)), hash(LARGE))
    t.same(await readdir(join(node.kernel.dataDir, 'uploads')), [])
    t.match(hub.kernel.services.files.transfers.list('p1s'), [{ direction: 'upload', status: 'done', total: LARGE.length }])
    await writeFile(join(uploads, 'huge.bin'), Buffer.alloc(33 * MIB))
    const full = await upload('huge.bin', '/huge.bin')
    t.match(full, { status: 507, body: { error: 'uploads_full' } })
    t.equal(await p1s.card.get('/huge.bin'), undefined)
    t.same(await readdir(join(node.kernel.dataDir, 'uploads')), [])
  })

  await t.test('video and pictures, over one connection whatever the number of viewers', async t => {
    for (const [printer, path, type] of [['x1c', 'stream.mp4', 'video/mp4'], ['p1s', 'stream', 'multipart/']] as const) {
      const leaving = new AbortController()
      const viewers = await Promise.all([1, 2, 3].map(() =>
        fetch(`${base}/stream/${printer}/${path}`, { signal: leaving.signal })))
      for (const { status, headers, body } of viewers) {
        t.equal(status, 200)
        t.match(headers.get('content-type'), new RegExp(`^${type}`))
        const reader = body?.getReader()
        let seen = 0
        while (seen < 20_000) seen += (await reader?.read())?.value?.length ?? Infinity
        t.not(seen, Infinity, 'it went on')
        reader?.releaseLock()
      }
      t.equal(streamAt(hub, printer).viewerPool.size, 3)
      t.same([streamAt(hub, printer), streamAt(node, printer)].map(({ source }) => source.consumers), [1, 1])
      leaving.abort()
      await eventually(() => streamAt(hub, printer).source.consumers === 0, 30_000)
      streamAt(hub, printer).source.rest()
      await eventually(() => streamAt(node, printer).source.consumers === 0, 30_000)
    }
  })

  await t.test('recordings are made, listed, played and deleted where the printer is', async t => {
    const { status, body: { id } } = await hub.http('POST', '/api/recordings', { printer: 'x1c', seconds: 1 })
    t.equal(status, 200)
    const at = async ({ http }: typeof hub, path: string, query = {}) => await http('GET', `/api/recordings${path}`, query)
    await eventually(async () => ['ready', 'failed'].includes((await at(hub, `/${id}`)).body.status), 60_000)
    for (const [path, query] of [['', {}], ['', { limit: 1 }], ['', { printer: 'p1s' }], [`/${id}`, {}], ['/012345678901234567', {}]] as const) {
      const [there, here] = [await at(node, path, query), await at(hub, path, query)]
      t.same([here.status, here.body], [there.status, there.body], `${path} ${JSON.stringify(query)}`)
    }
    const ready = (await at(hub, `/${id}`)).body.status === 'ready' // without a decoder there is no file
    for (const headers of [{}, { range: 'bytes=4-99' }, { range: 'bytes=900000000-' }]) {
      const ask = { url: `/api/recordings/${id}/file`, headers, query: { download: 'true' } }
      const [there, here] = [await node.kernel.app.inject(ask), await hub.kernel.app.inject(ask)]
      t.equal(here.statusCode, there.statusCode, JSON.stringify(headers))
      if (here.statusCode > 206) continue
      t.equal(hash(here.rawPayload), hash(there.rawPayload))
      for (const name of ['content-type', 'content-length', 'content-range', 'content-disposition', 'cache-control']) {
        t.equal(String(here.headers[name]), String(there.headers[name]), name)
      }
    }
    t.equal((await hub.kernel.app.inject({ url: `/api/recordings/${id}/file` })).statusCode, ready ? 200 : 409)
    t.equal((await hub.http('DELETE', `/api/recordings/${id}`)).status, 200)
    t.equal((await at(node, `/${id}`)).status, 404)
    t.equal((await hub.http('DELETE', `/api/recordings/${id}`)).status, 404)
  })

  await t.test('why a camera shows nothing is said as the node says it', async t => {
    p1s.faults.camera.rejectAccessCode()
    const there = await node.kernel.app.inject({ url: '/stream/p1s/snapshot' })
    const here = await hub.kernel.app.inject({ url: '/stream/p1s/snapshot' })
    t.same([here.statusCode, here.json()], [there.statusCode, there.json()])
  })
})
