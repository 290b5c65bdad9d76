import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { build, listening, outside } from '../../outside/installed.js'
import { listen, NO_MOSQUITTO, startMosquitto } from '../../helpers/mosquitto.js'
import { sliced } from '../../plugins/queue/helpers.js'
import { daemon, prnd } from '../prnd.js'

t.before(build)

/** Leaves a line for each time that it is set up. */
const MARKER = `
  import { appendFileSync } from 'node:fs'
  export default {
    name: 'marker', version: '1.0.0', kernel: '*',
    setup: () => appendFileSync(new URL('setups', import.meta.url), 'x')
  }`

/** Written by the running service itself: its log, the recording in progress, and the pages of its database. */
const OF_THE_SERVICE = /^data\/(prnd\.log|service\.json|recordings\/.*|plugins\/(recording|database|health)\/.*|plugins\/homeassistant\/retained\.json)/

/** What each file is at the moment, by its path. */
async function filesIn (folder: string): Promise<Record<string, string>> {
  const paths = await readdir(folder, { recursive: true })
  const entries = await Promise.all(paths.map(async path => {
    const info = await stat(join(folder, path)).catch(() => undefined)
    return info?.isFile() === true ? [[path, `${info.size} bytes, ${info.mtimeMs}`]] : []
  }))
  return Object.fromEntries(entries.flat().sort())
}

const without = (files: Record<string, string>, pattern: RegExp) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !pattern.test(path)))

/** A service that records, has a job waiting, and tells Home Assistant and a fleet of its printer. */
async function startService (t: Test) {
  const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s', camera: { width: 320, height: 180, fps: 5 } })
  await printer.start()
  t.teardown(() => printer.stop())
  const broker = NO_MOSQUITTO === false ? await startMosquitto(t) : undefined
  const nats = NO_NATS === false ? await startNats(t) : undefined
  const { name, host, serial, accessCode, ports } = printer
  const folder = await outside(t, {
    'marker.mjs': MARKER,
    'config.json': {
      dataDir: 'data',
      api: { host: '127.0.0.1' },
      printers: [{ name, host, serial, accessCode, ports }],
      plugins: {
        './marker.mjs': {},
        recording: { keepFreeMiB: 0 },
        ...(broker && { homeassistant: { broker: broker.url } }),
        ...(nats && { fleet: { servers: [nats.url], site: 'hall' } })
      }
    }
  })
  const file = join(folder, 'config.json')
  const heard = broker && await listen(t, broker.url)
  const port = await listening(daemon(t, file))
  async function call (path: string, body?: object | Buffer): Promise<Record<string, any>> {
    const isBytes = Buffer.isBuffer(body)
    const reply = await fetch(`http://127.0.0.1:${port}/api/${path}`, body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' },
          body: isBytes ? new Uint8Array(body) : JSON.stringify(body)
        })
    if (!reply.ok) throw new Error(await reply.text())
    return await reply.json() as Record<string, any>
  }
  await eventually(async () => (await call('session_status')).recent_update === true, 60_000)
  const { id } = await call('recordings', { printer: 'p1s', seconds: 600 })
  const statusOf = async () => (await call(`recordings/${id}`)).status
  await eventually(async () => await statusOf() === 'recording', 60_000)
  const { name: uploaded = 'cube.gcode.3mf' } = await call('queue/files?filename=cube.gcode.3mf', sliced())
  await call('queue', { file: uploaded })
  if (heard) await eventually(() => heard.last('prnd/status') === 'online', 60_000)
  return { folder, file, call, statusOf, heard }
}

t.test('commands that inspect leave a running service alone', async t => {
  const { folder, file, call, statusOf, heard } = await startService(t)
  t.equal(await statusOf(), 'recording')
  const jobs = (await call('queue')).jobs
  t.equal(jobs.length, 1)
  for (const command of [['plugins', 'check'], ['plugins', 'list'], ['doctor'], ['backup', join(folder, 'own.backup')]]) {
    await t.test(command.slice(0, 2).join(' '), async t => {
      const before = await filesIn(folder)
      const already = heard?.heard.length ?? 0
      const { code, out, err } = await prnd(t, [...command, '-c', file])
      t.equal(code, 0, out + err)
      const after = await filesIn(folder)
      delete after['own.backup']
      t.same(without(after, OF_THE_SERVICE), without(before, OF_THE_SERVICE), 'no file changes')
      t.same(Object.keys(after).filter(path => !(path in before) && !/\/recordings?\//.test(path)), [], 'none is added')
      t.equal(await readFile(join(folder, 'setups'), 'utf8'), 'x', 'no plugin is set up')
      t.equal(await statusOf(), 'recording', 'the recording goes on')
      t.same((await call('queue')).jobs.map(({ id }: { id: string }) => id), jobs.map(({ id }: { id: string }) => id))
      const said = heard?.heard.slice(already).map(({ topic, text }) => `${topic}: ${text.slice(0, 40)}`) ?? []
      t.same(said.filter(line => /^prnd\/status: |: $|\/(available|availability|status): off/.test(line)), [],
        'the broker hears no goodbye')
    })
  }
  t.test('at the broker of Home Assistant', { skip: NO_MOSQUITTO }, async t => {
    t.equal(heard?.last('prnd/status'), 'online')
    const devices = new Map(heard?.heard.filter(({ topic }) => topic.startsWith('homeassistant/')).map(({ topic, text }) => [topic, text]))
    t.ok(devices.size > 0)
    for (const [topic, text] of devices) t.not(text, '', `${topic} is still there`)
  })
})
