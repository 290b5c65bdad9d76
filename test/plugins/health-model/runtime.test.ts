import { readFile, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { addModel } from '../../../plugins/health-model/add-model.js'
import { createInferenceClient } from '../../../plugins/health-model/runtime/client.js'
import { installedRuntimes, isNeeded, RUNTIMES } from '../../../plugins/health-model/runtime/runtime-packages.js'
import { dropModel, storedModels, verifyModel, type StoredModel } from '../../../plugins/health-model/store.js'
import type { Box } from '../../../plugins/health-model/types.js'
import { testFolder } from '../../helpers/folder.js'
import {
  classifierNetwork, detectionNetwork, detrNetworks, embeddingNetwork, yoloNetwork, yoloSevenNetworks
} from './onnx-builder.js'

/** Where CI puts what `prnd health runtime install` installs. */
const RUNTIME = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'prnd-onnx')
const installed = await installedRuntimes(RUNTIME)
const signal = new AbortController().signal

const color = (red: number, green: number, blue: number) => ({ r: red, g: green, b: blue })
/** Black, with a red square in the lower right. */
const failing = async (): Promise<Buffer> => {
  const square = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } }).png().toBuffer()
  return await sharp({ create: { width: 256, height: 256, channels: 3, background: color(0, 0, 0) } })
    .composite([{ input: square, left: 192, top: 192 }]).png().toBuffer()
}
const plain = (red: number, green: number, blue: number): Promise<Buffer> =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: color(red, green, blue) } }).png().toBuffer()

/** A wide black picture with a red part. */
async function withRed ({ left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>): Promise<Buffer> {
  const red = await sharp({ create: { width, height, channels: 3, background: '#f00' } }).png().toBuffer()
  return await sharp({ create: { width: 1_280, height: 720, channels: 3, background: color(0, 0, 0) } })
    .composite([{ input: red, left, top }]).png().toBuffer()
}
const pixelsOf = ({ left, top, right, bottom }: Box) =>
  [left * 1_280, top * 720, right * 1_280, bottom * 720].map(side => Math.round(side * 100) / 100)

async function scene (t: Test, runtime: string) {
  const folder = testFolder(t)
  const client = createInferenceClient(RUNTIME, runtime)
  t.teardown(() => client.close())
  const add = async (name: string, network: Buffer, overrides: Parameters<typeof addModel>[0]['overrides'] = {}) => {
    const source = join(folder, `${name}.onnx`)
    await writeFile(source, network)
    return await addModel({ folder, client, source, overrides, signal })
  }
  const ask = async (name: string, picture: Buffer) => {
    const stored = (await storedModels(folder, t.fail)).find(({ model }) => model.name === name) as StoredModel
    return await client.infer(stored.file, stored.model, picture)
  }
  return { folder, client, add, ask }
}

for (const { name: runtime } of RUNTIMES) {
  const skip = installed[runtime] === undefined && `${runtime} is not installed`

  t.test(`${runtime}: networks of each kind are added and answer`, { skip, timeout: 180_000 }, async t => {
    const { folder, add, ask } = await scene(t, runtime)
    const detection = await add('detection', detectionNetwork({ license: 'CC0-1.0' }))
    t.match(detection, { kind: 'detection', width: 64, height: 64, labels: ['failure'], licence: 'CC0-1.0' })
    const found = await ask('detection', await failing())
    t.equal(found.runtime, runtime)
    t.equal(found.boxes.length, 1)
    t.match(found.boxes[0], { left: 0.75, top: 0.75, right: 1, bottom: 1, label: 'failure' })
    t.ok(found.value > 0.9 && found.value <= 1)
    t.match(await ask('detection', await plain(10, 200, 10)), { value: 0, boxes: [] })

    await add('bright', classifierNetwork(), { labels: ['dark', 'bright'], failing: ['bright'] })
    t.ok((await ask('bright', await plain(250, 250, 250))).value > 0.9)
    t.equal((await ask('bright', await plain(0, 0, 0))).value, 0)

    const prototypes = join(folder, 'prototypes.json')
    await writeFile(prototypes, JSON.stringify({ prototypes: { success: [-2, -2, -2], failure: [2, 2, 2] } }))
    await add('like', embeddingNetwork(), { prototypesFrom: prototypes })
    t.ok((await ask('like', await plain(255, 255, 255))).value > 0.9)
    t.equal((await ask('like', await plain(0, 0, 0))).value, 0)
    t.same((await storedModels(folder, t.fail)).map(({ model }) => model.name), ['bright', 'detection', 'like'])
    t.equal(await dropModel(folder, 'like'), true)
    t.equal(await dropModel(folder, '../models'), false)
  })

  t.test(`${runtime}: exports of every format find the same box in a wide picture`, { skip, timeout: 180_000 }, async t => {
    const { add, ask } = await scene(t, runtime)
    const metadata = { names: "{0: 'spaghetti', 1: 'part'}", imgsz: '[64, 64]', stride: '32', task: 'detect' }
    const picture = await withRed({ left: 640, top: 40, width: 320, height: 320 })
    const exports = {
      eight: yoloNetwork({ format: 'yolov8', metadata }),
      five: yoloNetwork({ format: 'yolov5', metadata }),
      final: yoloNetwork({ format: 'final', metadata }),
      open: yoloNetwork({ format: 'yolov8', isOpen: true, metadata }),
      half: yoloNetwork({ format: 'yolov8', isHalf: true, metadata }),
      last: yoloNetwork({ format: 'final', isLast: true, metadata })
    }
    for (const [name, network] of Object.entries(exports)) {
      const { fit, labels, failing, width } = await add(name, network)
      t.same([fit, labels, failing, width], ['letterbox', ['spaghetti', 'part'], ['spaghetti'], 64])
      const { boxes, value } = await ask(name, picture)
      t.same(boxes.map(pixelsOf), [[640, 40, 960, 360]], name)
      t.match(boxes, [{ label: 'spaghetti' }])
      t.ok(value > 0.9 && value <= 1, `${name}: ${value}`)
    }
    await t.rejects(add('wrong', exports.eight, { labels: ['spaghetti'] }), /'output0' of 1 x 6 x 16/)
  })

  t.test(`${runtime}: a network of bytes is given bytes`, { skip, timeout: 180_000 }, async t => {
    const { add, ask } = await scene(t, runtime)
    const labels = ['spaghetti', 'part']
    t.match(await add('bytes', yoloNetwork({ format: 'yolov8', isBytes: true }), { labels }), { boxes: 'yolov8' })
    const { boxes } = await ask('bytes', await withRed({ left: 640, top: 40, width: 320, height: 320 }))
    t.same(boxes.map(pixelsOf), [[640, 40, 960, 360]])
    t.ok((boxes[0]?.score ?? 0) > 0.9 && (boxes[0]?.score ?? 2) <= 1, 'of 0 to 255')
  })

  t.test(`${runtime}: YOLOv7 without its last step is refused with what it answers`, { skip, timeout: 180_000 }, async t => {
    const { add } = await scene(t, runtime)
    const labels = ['spaghetti', 'part']
    await t.rejects(add('grids', yoloSevenNetworks().grids, { labels }), /neither boxes nor labels.*1 x 3 x 8 x 8 x 7/)
    await t.rejects(add('boxes', yoloSevenNetworks().boxes, { labels }), /2 labels are named.*the network has 7/)
  })

  t.test(`${runtime}: RT-DETR is refused, whichever program exported it`, { skip, timeout: 180_000 }, async t => {
    const { add } = await scene(t, runtime)
    const labels = ['spaghetti', 'part']
    await t.rejects(add('original', detrNetworks().original, { labels }), /must take one picture.*'orig_target_sizes' of 1 x 2/)
    await t.rejects(add('ultralytics', detrNetworks().ultralytics), /RT-DETR/)
  })

  t.test(`${runtime}: each fit puts boxes where things are`, { skip, timeout: 180_000 }, async t => {
    const { add, ask } = await scene(t, runtime)
    const places = {
      stretch: [640, 180, 960, 360],
      letterbox: [640, 40, 960, 360],
      crop: [640, 180, 820, 360],
      tiles: [540, 180, 720, 360]
    } as const
    for (const [fit, [left, top, right, bottom]] of Object.entries(places)) {
      await add(fit, yoloNetwork({ format: 'final' }), { labels: ['spaghetti', 'part'], fit: fit as keyof typeof places })
      const { boxes, value } = await ask(fit, await withRed({ left, top, width: right - left, height: bottom - top }))
      t.same(boxes.map(pixelsOf), [[left, top, right, bottom]], fit)
      t.ok(value > 0.9 && value <= 1, `${fit}: once, ${value}`)
    }
    await add('bright', classifierNetwork(), { labels: ['dark', 'bright'], failing: ['bright'], mean: [0], std: [1] })
    const bright = await sharp({ create: { width: 720, height: 720, channels: 3, background: '#fff' } }).png().toBuffer()
    const side = sharp({ create: { width: 1_280, height: 720, channels: 3, background: '#000' } })
      .composite([{ input: bright, left: 560, top: 0 }])
    t.ok((await ask('bright', await side.png().toBuffer())).value > 0.9, 'the worst tile counts')
  })

  t.test(`${runtime}: what breaks is an error, and the next picture is judged`, { skip, timeout: 180_000 }, async t => {
    const { folder, client, add, ask } = await scene(t, runtime)
    await add('detection', detectionNetwork())
    await t.rejects(ask('detection', Buffer.from('no picture')))
    await t.rejects(client.inspect(join(folder, 'none.onnx')), /ENOENT|doesn't exist|failed/)
    const broken = detectionNetwork()
    broken.fill(7, 60, 90)
    await t.rejects(add('broken', broken))
    const stopped = AbortSignal.abort(new Error('enough'))
    const [stored] = await storedModels(folder, t.fail)
    await t.rejects(client.infer(stored!.file, stored!.model, await failing(), stopped), /enough/)
    t.equal((await ask('detection', await failing())).boxes.length, 1)
    t.same((await storedModels(folder, t.fail)).map(({ model }) => model.name), ['detection'], 'what does not work is not kept')
  })
}

t.test('without a runtime the answer says what to do', { timeout: 60_000 }, async t => {
  const client = createInferenceClient(testFolder(t))
  t.teardown(() => client.close())
  await t.rejects(client.inspect('x.onnx'), /prnd health runtime install/)
})

t.test('a file that is not the one that was added is found out', async t => {
  const folder = testFolder(t)
  const client = {
    inspect: async () => ({ inputs: [{ name: 'p', dims: [1, 3, 64, 64] }], outputs: [{ name: 'a', dims: [1, 16, 1, 4] }, { name: 'b', dims: [1, 16, 1] }] }),
    infer: async () => ({ value: 0, boxes: [], ms: 1, runtime: 'none' })
  }
  const source = join(folder, 'net.onnx')
  await writeFile(source, detectionNetwork())
  await addModel({ folder, client, source, overrides: {}, signal })
  const [stored] = await storedModels(folder, t.fail)
  await verifyModel(stored!)
  const bytes = await readFile(stored!.file)
  bytes[0] = 9
  await writeFile(stored!.file, bytes)
  await t.rejects(verifyModel(stored!), /not the one that was added/)
  await t.rejects(addModel({ folder, client, source: 'http://192.0.2.1/net.onnx', overrides: {}, signal }), /https only/)
})

t.test('each step of a redirect is judged, and there are not many', async t => {
  const places: Record<string, string> = { '/plain': 'http://192.0.2.1/net.onnx', '/round': '/round', '/nowhere': 'http://[', '/file': 'file:///etc/passwd' }
  const server = createServer(({ url = '' }, reply) => { reply.writeHead(302, { location: places[url] }).end() })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const client = { inspect: t.fail, infer: t.fail } as never
  const { port } = server.address() as AddressInfo
  const add = (path: string) => addModel({ folder: testFolder(t), client, source: `http://localhost:${port}${path}`, overrides: {}, signal })
  await t.rejects(add('/plain'), /redirects to http:\/\/192\.0\.2\.1, and a network is fetched over https only/)
  await t.rejects(add('/file'), /fetched over https only/)
  await t.rejects(add('/nowhere'), /redirects to an invalid address/)
  await t.rejects(add('/round'), /redirects more than 5 times/)
})

t.test('of the runtimes only what this machine needs is kept', async t => {
  const here = `${process.platform}/${process.arch}`
  t.ok(isNeeded(`/x/node_modules/onnxruntime-node/bin/napi-v6/${here}/onnxruntime_binding.node`))
  t.notOk(isNeeded('/x/node_modules/onnxruntime-node/bin/napi-v6/plan9/mips/onnxruntime_binding.node'))
  t.ok(isNeeded('/x/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'))
  t.notOk(isNeeded('/x/node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.jsep.wasm'))
  t.ok(isNeeded('/x/node_modules/onnxruntime-node/dist/index.js'))
})
