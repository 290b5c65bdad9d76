import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { definePlugin, definePreset, validationError, type Services } from '../../../core/index.js'
import alerts from '../../../plugins/alerts/index.js'
import health, { type Frame } from '../../../plugins/health/index.js'
import healthModel, { Options } from '../../../plugins/health-model/index.js'
import http from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import filament from '../../../plugins/filament/index.js'
import state from '../../../plugins/state/index.js'
import system from '../../../plugins/system/index.js'
import telemetry from '../../../plugins/telemetry/index.js'
import { createRemote, readAnswer } from '../../../plugins/health-model/remote.js'
import { boot } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'

const TOKEN = 'planted-token-of-the-detector'
const signal = new AbortController().signal
const jpeg = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#5a3c1e' } }).jpeg().toBuffer()
const FOUND = [['failure', 0.9, [50, 50, 100, 100]], ['failure', 0.6, [150, 50, 20, 20]]]

type Answer = (picture: Buffer, request: IncomingMessage) => { status?: number, body: string }
/** A server that fetches the picture that it is told of, and answers as the test wants. */
async function detector (t: Test, answer: Answer) {
  const server = createServer((request, response) => {
    const work = async () => {
      const img = new URL(request.url ?? '', 'http://x').searchParams.get('img') ?? ''
      const picture = await fetch(img)
      const { status = 200, body } = answer(Buffer.from(await picture.arrayBuffer()), request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      return img
    }
    work().then(img => asked.push(img), () => response.destroy())
  })
  const asked: string[] = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked, server }
}

t.test('the server is given the picture and the token, and its boxes come back as fractions', async t => {
  let authorization: string | undefined
  const { url, asked } = await detector(t, (picture, request) => {
    authorization = request.headers.authorization
    t.ok(picture.equals(jpeg), 'the very picture')
    return { body: JSON.stringify({ detections: FOUND }) }
  })
  const remote = createRemote({ url, token: TOKEN }, { steady: () => 0, warn: t.fail })
  const reading = await remote.judge(jpeg, signal)
  t.equal(authorization, `Bearer ${TOKEN}`)
  t.match(reading, { value: 1.5, boxes: [{ left: 0, top: 0, right: 0.5, bottom: 1 }, { label: 'failure' }] })
  t.match(asked[0], /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{48}\.jpg$/, 'an address that cannot be guessed')
  await t.rejects(fetch(asked[0] ?? ''), 'and that is there no longer')
})

t.test('several printers are judged at the same time, also with a port of its own', async t => {
  let release = () => {}
  const both = new Promise<void>(resolve => { release = resolve })
  let fetched = 0
  const server = createServer((request, response) => {
    const work = async () => {
      const picture = await fetch(new URL(request.url ?? '', 'http://x').searchParams.get('img') ?? '')
      await picture.arrayBuffer()
      if (++fetched === 2) release()
      await both
      response.end('{"detections":[]}')
    }
    work().catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = server.address() as { port: number }
  const warnings: string[] = []
  const options = { url: `http://127.0.0.1:${port}`, ownPort: await freePort() }
  const remote = createRemote(options, { steady: () => 0, warn: text => warnings.push(text) })
  const readings = await Promise.all([remote.judge(jpeg, signal), remote.judge(jpeg, signal)])
  t.match(readings, [{ value: 0 }, { value: 0 }])
  t.match(await remote.judge(jpeg, signal), { value: 0 }, 'the port is free again')
  t.same(warnings, [])
})

t.test('a server that fails is left alone for longer and longer, and taken up again', async t => {
  let status = 500
  let now = 0
  let count = 0
  const warnings: string[] = []
  const { url } = await detector(t, () => { count++; return { status, body: '{"detections":[]}' } })
  const remote = createRemote({ url, token: TOKEN }, { steady: () => now, warn: text => warnings.push(text) })
  t.equal(await remote.judge(jpeg, signal), undefined)
  t.equal(count, 2, 'tried twice')
  await remote.judge(jpeg, signal)
  t.equal(count, 2, 'left alone')
  now = 31_000
  await remote.judge(jpeg, signal)
  t.equal(count, 4)
  now = 31_000 + 45_000
  await remote.judge(jpeg, signal)
  t.equal(count, 4, 'a minute now')
  status = 200
  now = 31_000 + 61_000
  t.same(await remote.judge(jpeg, signal), { value: 0, boxes: [] })
  t.match(warnings, [/does not answer \(it answers 500\)/, /answers again/])
  t.equal(warnings.length, 2, 'told once')
  t.notMatch(warnings.join(), TOKEN)
})

t.test('a refusal is not repeated, and another answer is none', async t => {
  let count = 0
  const { url } = await detector(t, () => { count++; return { status: 401, body: '' } })
  t.equal(await createRemote({ url }, { steady: () => 0, warn: () => {} }).judge(jpeg, signal), undefined)
  t.equal(count, 1)
  for (const body of ['[]', '{"detections":[["a",1]]}', '{"detections":[["a",1,[1,2,3]]]}', 'x']) {
    t.throws(() => readAnswer(body, { width: 1, height: 1 }), body)
  }
})

t.test('an address with a password is refused: it belongs into the token', async t => {
  const remote = (url: string) => validationError(Options, { trust: 1, cameras: {}, remote: { url } })
  t.equal(remote('http://192.168.1.9:3333'), undefined)
  t.match(remote('http://me:secret@192.168.1.9:3333'), /url/)
  t.match(remote('file:///etc/passwd'), /url/)
})

const cameraOf = (picture: Buffer) => definePlugin({
  name: 'fake-camera',
  version: '1.0.0',
  kernel: '^2.0.0',
  provides: ['camera'],
  setup: ({ provide }) => provide('camera', {
    latestFrame: async (): Promise<Frame> => ({ jpeg: picture, capturedAt: Date.now() })
  } as unknown as Services['camera'])
})

t.test('what the server finds becomes the verdict, with its places drawn; the token stays secret', { timeout: 120_000 }, async t => {
  const noise = await sharp({
    create: { width: 320, height: 180, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 } } as never
  }).jpeg().toBuffer()
  const { url } = await detector(t, () => ({ body: JSON.stringify({ detections: [['failure', 0.95, [160, 90, 80, 60]]] }) }))
  const folder = testFolder(t)
  const file = join(folder, 'token')
  await writeFile(file, TOKEN)
  const preset = definePreset({
    name: 'test',
    plugins: [http, mcp, system, filament, state, telemetry, alerts, cameraOf(noise),
      [healthModel, { remote: { url, token: { file } } }], [health, { monitor: false }]]
  })
  const { http: call, kernel, name } = await boot(t, { preset, models: ['P1S'] })
  const { status, body } = await call('GET', '/api/analyze_active_job', { printer: name, categories: 'D', quality: 'full' })
  t.equal(status, 200)
  t.match(body, { verdict: 'critical' })
  const marked = await sharp(Buffer.from(String(body.annotated_png).split(',')[1] ?? '', 'base64')).removeAlpha().raw().toBuffer()
  const left = (90 * 320 + 120) * 3 // in the middle of the left edge of the box
  t.ok((marked[left] ?? 0) > 200 && (marked[left + 2] ?? 255) < 120, 'drawn in orange')
  t.notMatch(JSON.stringify(body), TOKEN)
  t.notMatch(await readFile(join(kernel.dataDir, 'prnd.log'), 'utf8').catch(() => ''), TOKEN)
  t.equal(kernel.redact(TOKEN).includes(TOKEN), false)
})
