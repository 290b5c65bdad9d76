import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { Alert } from '../../../plugins/alerts/index.js'
import { createVirtualPrinter, type ModelName } from '../../../plugins/emulator/index.js'
import { commands, overlaps, type Connected } from '../../bench/fleet-chaos/judge.js'
import { createLinks } from '../../bench/fleet-chaos/links.js'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { build, listening } from '../../outside/installed.js'
import { configured, daemon } from '../../presets/prnd.js'
import { bootHub, bootNode, isThere } from './fleet.js'

const HOST = '127.0.0.1'
const WITHIN_MS = 60_000

t.before(build)

t.test('the process that holds a printer is killed', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const connected: (Omit<Connected, 'to'> & { to: number, number: number })[] = []
  const [node, printer] = [(link: string) => link.split('>')[0] ?? '', (link: string) => link.split('>')[1] ?? '']
  const links = createLinks({
    opened (link, number) {
      connected.push({ node: node(link), printer: printer(link), from: Date.now(), to: Infinity, number })
    },
    closed (link, number) {
      const entry = connected.find(one => one.number === number)
      if (entry) entry.to = Date.now()
    },
    sent () {}
  })
  t.teardown(links.close)
  const made = async (model: ModelName, name: string) => {
    const printer = createVirtualPrinter({ model, name })
    await printer.start()
    t.teardown(() => printer.stop())
    return printer
  }
  const [shared, pinned] = [await made('P1S', 'shared'), await made('A1_MINI', 'pinned')]
  const entryAt = async (node: string, { name, serial, accessCode, fingerprint, ports }: typeof shared) => ({
    name,
    host: HOST,
    serial,
    accessCode,
    ports: { mqtt: await links.open(`${node}>${name}`, { host: HOST, port: 0 }, { host: HOST, port: ports.mqtt }) },
    tls: { mode: 'pin', fingerprint }
  })
  const way = await links.open('a>nats', { host: HOST, port: 0 }, { host: HOST, port: nats.port })
  const fleetOf = (node: string, port: number) =>
    ({ servers: [`nats://${HOST}:${port}`], site: 'hall', node, shared: ['shared'] })
  const hub = await bootHub(t, { servers: [nats.url] }, [])
  const { file, folder } = await configured(t, {
    printers: [await entryAt('a', shared), await entryAt('a', pinned)], plugins: { fleet: fleetOf('a', way) }
  })
  const first = daemon(t, file)
  await listening(first)
  const remote = (name: string) => hub.kernel.printers.get(name)
  const areThere = () => isThere(hub, 'shared') && isThere(hub, 'pinned')
  await eventually(areThere, WITHIN_MS)
  const b = await bootNode(t, fleetOf('b', nats.port), {
    models: [], config: { printers: [await entryAt('b', shared)] }
  })
  /** On the disk of the one that is killed. */
  let kept: { alert: Alert }[] = []
  const heard: Alert[] = []
  hub.kernel.events.on('alert', alert => { heard.push(alert) })
  let marks = 0
  const asked: { mark: number, outcome: 'done' | 'refused' | 'unknown', text: string }[] = []
  const send = async (printer: string) => {
    const mark = ++marks
    const { status, body } = await hub.http('POST', '/api/send_gcode', { printer, gcode: `M117 chaos ${mark}` })
    const outcome = status === 200 ? 'done' : body.error === 'not_connected' ? 'refused' : 'unknown'
    asked.push({ mark, outcome, text: JSON.stringify(body) })
    return outcome
  }
  const arrived = () => [shared, pinned].flatMap(({ name, requests }) => requests.flatMap(({ at, body }) => {
    const mark = /chaos (\d+)/.exec(JSON.stringify(body))?.[1]
    return mark === undefined ? [] : [{ mark: Number(mark), printer: name, at }]
  }))
  await eventually(areThere, WITHIN_MS) // it was busy with the start of b, and may have missed heartbeats
  t.equal(await send('shared'), 'done', JSON.stringify(asked.at(-1)))
  t.equal(await send('pinned'), 'done', JSON.stringify(asked.at(-1)))
  t.equal(b.kernel.services.fleet.status().leases_held, 0)

  await t.test('while it is cut off and has an alert to tell', async t => {
    links.set('a>nats', 'silent')
    pinned.startJob({})
    const journal = join(folder, 'data', 'plugins', 'fleet', 'journal.json')
    await eventually(async () => {
      kept = JSON.parse(await readFile(journal, 'utf8')) as typeof kept
      return kept.length > 0
    }, WITHIN_MS)
    const inFlight = [send('shared'), send('pinned')]
    first.child.kill('SIGKILL')
    await first.gone
    t.notOk((await Promise.all(inFlight)).includes('done'), 'nobody says that it was done')
  })

  await t.test('another holds the shared printer, and the other one is said to be unreachable', async t => {
    await eventually(() => b.kernel.printers.get('shared')?.live && remote('shared')?.live, WITHIN_MS)
    t.equal(remote('shared')?.remote?.name, 'hall/b')
    t.equal(await send('shared'), 'done')
    await eventually(() => remote('pinned')?.service === 'DISCONNECTED', WITHIN_MS)
    t.match(remote('pinned')?.problem?.message, /hall\/a.*not been heard since/)
    t.equal(await send('pinned'), 'refused')
    t.match((await hub.http('GET', '/api/fleet/nodes')).body.nodes, [{ node: 'a', reachable: false, seen_s: Number }, {}])
  })

  await t.test('it comes back, tells what it had to tell, and does not take what it held', async t => {
    links.set('a>nats', 'open')
    const isIt = (alert: Alert) => isDeepStrictEqual({ ...alert }, kept[0]?.alert)
    t.notOk(heard.some(isIt))
    await listening(daemon(t, file))
    await eventually(() => remote('pinned')?.live, WITHIN_MS)
    await eventually(() => heard.some(isIt), WITHIN_MS)
    t.equal(await send('shared'), 'done')
    t.equal(remote('shared')?.remote?.name, 'hall/b')
    t.equal(heard.filter(isIt).length, 1, 'once')
  })

  t.match(commands(asked, arrived()), { twice: 0, lost: 0, untrue: [] })
  const atPrinters = connected.filter(({ printer }) => printer !== 'nats')
  t.ok(new Set(atPrinters.map(({ node, printer }) => `${node}>${printer}`)).size === 3, 'all ways were used')
  t.same(overlaps(atPrinters, []).together, [], 'never two nodes at one printer')
})
