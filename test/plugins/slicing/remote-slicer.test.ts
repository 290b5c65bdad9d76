import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MODELS } from '../../../core/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { SlicerFailed } from '../../../plugins/slicing/errors.js'
import slicing, { prusaSlicer, serveSlicers } from '../../../plugins/slicing/index.js'
import { FramedReader } from '../../../plugins/slicing/remote/framed-reader.js'
import { remoteSlicer } from '../../../plugins/slicing/remote/remote-slicer.js'
import type { EngineJob, Slicer } from '../../../plugins/slicing/types.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { recordedWith } from '../history/preset.js'
import { FAST, timing } from '../queue/helpers.js'
import { sendModel } from './commands.js'
import { boxStl, placedBox } from './models.js'

const TOKEN = 'planted-slicer-token'
const MIB = 1024 ** 2
const P1S = MODELS.find(({ model }) => model === 'P1S')!
const never = new AbortController().signal

const textOf = async (pieces: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}
async function * pieces (...texts: string[]) { for (const text of texts) yield Buffer.from(text) }

t.test('lines and counted bytes are read wherever they were cut', async t => {
  const reader = new FramedReader(pieces('{"a"', ':1}', '\nabc', 'defg\n', '{}\nx'))
  t.equal(await reader.line(20), '{"a":1}')
  t.equal(await textOf(reader.bytes(6)), 'abcdef')
  t.equal(await reader.line(20), 'g')
  t.equal(await reader.line(20), '{}')
  await t.rejects(reader.line(20), /within a line/)
  t.equal(await new FramedReader(pieces()).line(9), undefined)
  await t.rejects(new FramedReader(pieces('a'.repeat(30))).line(20), /more than 20/)
  await t.rejects(new FramedReader(pieces(`${'a'.repeat(30)}\n`)).line(20), /more than 20/)
  await t.rejects(textOf(new FramedReader(pieces('abc')).bytes(4)), /too early/)
})

const marked = ({ file, ...rest }: EngineJob['instances'][number]) =>
  ({ ...rest, sum: createHash('md5').update(readFileSync(file)).digest('hex') })

/** A slicer that says what it got. */
function standIn (work: (job: EngineJob, signal: AbortSignal) => Promise<void> = async () => {}): Slicer {
  return {
    name: 'prusa-slicer',
    title: 'PrusaSlicer',
    find: async () => ({ place: '/usr/bin/stand-in', version: '2.9.9' }),
    async slice (job, { signal, onProgress }) {
      onProgress(40, 'Generating perimeters')
      await work(job, signal)
      const gcode = join(job.folder, 'out.gcode')
      const models = job.instances.map(marked)
      writeFileSync(gcode, JSON.stringify({ settings: job.settings, printer: job.target.model.model, models }))
      return { gcode }
    }
  }
}

async function serve (t: Test, slicers: readonly Slicer[] = [standIn()], token: string | undefined = TOKEN) {
  const folder = testFolder(t)
  const said: string[] = []
  const server = await serveSlicers({
    slicers, host: '127.0.0.1', port: 0, token, folder, mostBytes: MIB, say: line => { said.push(line) }
  })
  t.teardown(() => server.close())
  return { ...server, folder, said, url: `http://127.0.0.1:${server.port}` }
}

const remote = (url: string, { token = TOKEN, fileMiB = 1, timeoutMs = 20_000 } = {}) =>
  remoteSlicer({ name: 'attic', url, slicer: 'prusa-slicer', token: async () => token, timeoutMs, fileMiB })

const nothing = (_percent: number, _step: string): void => {}

function slice (t: Test, slicer: Slicer, signal = never, onProgress = nothing) {
  const folder = testFolder(t)
  const instances = [placedBox(folder, 1, [10, 10, 2], [50, 50]), placedBox(folder, 2, [20, 10, 2], [80, 50])]
  const job = { instances, settings: 'layer_height = 0.2', target: { model: P1S, nozzleMm: 0.4 }, folder }
  return { job, result: slicer.slice(job, { signal, onProgress }) }
}

t.test('a job and its models arrive as they were, and so does the plate', async t => {
  const server = await serve(t)
  const slicer = remote(server.url)
  t.same(await slicer.find(), { place: server.url, version: '2.9.9' })
  const steps: string[] = []
  const { job, result } = slice(t, slicer, never, (percent, step) => steps.push(`${percent} ${step}`))
  const written = await result as { gcode: string }
  const models = job.instances.map(marked)
  t.same(JSON.parse(readFileSync(written.gcode, 'utf8')), { settings: job.settings, printer: 'P1S', models })
  t.same(steps, ['40 Generating perimeters'])
  await eventually(() => readdirSync(server.folder).length === 0)
  t.same(server.said, ['PrusaSlicer: a plate of 2 for P1S'])
})

t.test('failures come back in words, and a cancelled plate ends there too', async t => {
  const fail = async () => { throw new SlicerFailed('PrusaSlicer', 'the model has no layers') }
  const server = await serve(t, [standIn(fail)])
  const message = 'PrusaSlicer (attic) could not slice the plate: the model has no layers'
  await t.rejects(slice(t, remote(server.url)).result, { message })
  await t.rejects(slice(t, remote(server.url, { token: 'another-token' })).result, { message: /takes another token/ })
  t.equal(await remote(server.url, { token: 'another-token' }).find(), undefined)
  t.equal(await remote('http://127.0.0.1:1').find(), undefined)
  await t.rejects(slice(t, remote('http://127.0.0.1:1')).result, { message: /ECONNREFUSED|bad port/ })
  const large = await serve(t, [standIn(async ({ folder }) => { writeFileSync(join(folder, 'x'), '') })])
  await t.rejects(slice(t, remote(large.url, { fileMiB: 0.0001 })).result, { message: /more than 0\.0001 MiB/ })

  let isEnded = false
  const slow = await serve(t, [standIn((_job, signal) => new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      isEnded = true
      reject(new Error('ended'))
    })
  }))])
  const cancel = new AbortController()
  const { result } = slice(t, remote(slow.url), cancel.signal, () => cancel.abort(new Error('cancelled by a person')))
  await t.rejects(result, { message: 'cancelled by a person' })
  await eventually(() => isEnded && readdirSync(slow.folder).length === 0)
  await t.rejects(slice(t, remote(slow.url, { timeoutMs: 300 })).result, { message: /took more than/ })

  await eventually(() => readdirSync(slow.folder).length === 0)
  const away = new AbortController()
  let asked = 0
  const waits = Array.from({ length: 5 }, () => slice(t, remote(slow.url), away.signal).result.catch(() => { asked++ }))
  await eventually(() => readdirSync(slow.folder).length === 5)
  await t.rejects(slice(t, remote(slow.url)).result, { message: /many plates wait there already/ })
  away.abort(new Error('enough'))
  await Promise.all(waits)
  t.equal(asked, 5)
  await eventually(() => readdirSync(slow.folder).length === 0)
})

t.test('what is no slicer, or lies, is an error', async t => {
  const answers = [
    'hello\n', '[]\n', '{"percent":400,"step":""}\n', '{"plate":"gcode","bytes":9000000000}\n', '{"plate":"gcode","bytes":9}\nabc',
    `${'x'.repeat(9_000)}`, '', '{"plate":"../../x","bytes":1}\nx'
  ]
  let next = 0
  const liar = createServer((request, response) => {
    request.resume().on('end', () => response.end(answers[next]))
  }).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  t.teardown(() => liar.close())
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
  for (; next < answers.length; next++) {
    await t.rejects(slice(t, remote(url)).result, { code: 'PRN_ERR_SLICER_FAILED' }, `answer ${next}`)
    t.equal(await remote(url).find(), undefined)
  }
})

t.test('clients that lie or go away leave nothing behind', async t => {
  const server = await serve(t)
  const job = (change: object) => `${JSON.stringify({
    settings: '',
    printer: 'P1S',
    nozzleMm: 0.4,
    models: [{ id: 1, name: 'a', box: [0, 0, 1, 1], heightMm: 1, triangles: 1, bytes: 4 }],
    ...change
  })}\n`
  const post = async (body: string, path = '/slice/prusa-slicer', token = TOKEN) => {
    const reply = await fetch(server.url + path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
    return `${reply.status} ${await reply.text()}`
  }
  t.match(await post(`${job({})}abcd`), /^200 .*"plate":"gcode"/s)
  t.match(await post(`${job({})}abcd`, '/slice/prusa-slicer', ''), /^401 /)
  t.match(await post('{}', '/slice/../../etc'), /^404 /)
  t.match(await post('{}', '/slice/orca-slicer'), /^404 /)
  for (const [body, reason] of [
    ['no job\n', /is JSON/], ['{}\n', /settings|models/], [job({ printer: 'X9' }), /not known here/], [job({ models: [] }), /models/],
    [job({ models: [{ id: 1, name: 'a', box: [0, 0, 1, 1], heightMm: 1, triangles: 1, bytes: 2 * MIB }] }), /more than/],
    [`${job({})}ab`, /too early/], ['x'.repeat(9 * MIB), /more than/]
  ] as const) t.match(await post(body), reason)
  const socket = connect(server.port, '127.0.0.1')
  const head = `POST /slice/prusa-slicer HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TOKEN}\r\ncontent-length: 999999`
  socket.write(`${head}\r\n\r\n${job({})}a`)
  await eventually(() => readdirSync(server.folder).length > 0)
  socket.destroy()
  await eventually(() => readdirSync(server.folder).length === 0)
})

const skip = findProgram('prusa-slicer') === undefined && 'no prusa-slicer'

t.test('a plate of a service is sliced elsewhere, and printed as if it was here', { skip }, async t => {
  const server = await serve(t, [prusaSlicer({ timeoutMs: 60_000, memoryMiB: 4_096, fileMiB: 256 })])
  const remotes = [{ name: 'attic', url: server.url, slicer: 'prusa-slicer', token: TOKEN }]
  const booted = await boot(t, {
    preset: recordedWith(toolpath, queueWith(timing), slicing),
    models: [{ model: 'P1S', name: 'p1s', ...FAST }],
    config: { dataDir: testFolder(t), plugins: { slicing: { remotes } } }
  })
  const { http } = booted
  await sendModel(booted, 'cube.stl', boxStl([20, 20, 4]))
  const { body: profiles } = await http('GET', '/api/slicing/profiles', { printer: 'p1s' })
  t.match(profiles.slicers.find(({ name }: { name: string }) => name === 'attic'), { title: 'PrusaSlicer (attic)' })
  t.notMatch(JSON.stringify(profiles), TOKEN)
  await http('POST', '/api/slicing/start_code', { printer: 'p1s', accepted: true } as never)
  const order = { printer: 'p1s', parts: [{ model: 'cube.stl' }], engine: 'attic' }
  const { body: { id } } = await http('POST', '/api/slicing/jobs', order as never)
  const job = async () => (await http('GET', `/api/slicing/jobs/${id}`)).body as Record<string, any>
  await eventually(async () => ['done', 'failed'].includes((await job()).state), 60_000)
  t.match(await job(), { state: 'done', result: { slicer: /^PrusaSlicer \(attic\) \d/, findings: [] } })
})

t.test('a name that another slicer has is refused', async t => {
  const remotes = [{ name: 'orca-slicer', url: 'http://127.0.0.1:1', slicer: 'orca-slicer' }]
  await t.rejects(boot(t, {
    preset: recordedWith(toolpath, queueWith(timing), slicing),
    models: [],
    config: { plugins: { slicing: { remotes } } }
  }), { message: /remotes\[0\]\.name: 'orca-slicer' is the name of another slicer/ })
})
