import t from 'tap'
import { ENDED, MODELS, oneFleet } from './fleet.js'
import { ownPorts } from '../helpers/ports.js'
import { findProgram } from '../helpers/programs.js'
import * as routes from './http.bad.js'
import { HTTP } from './http.data.js'
import { areServed, routesWork } from './http.good.js'
import { isOf } from './rows.js'
import * as tools from './tools.bad.js'
import { TOOLS } from './tools.data.js'
import { areOffered, toolsWork } from './tools.good.js'

const ROUTES = HTTP.filter(isOf('camera', 'health'))
const OFFERED = TOOLS.filter(isOf('camera', 'health'))
const hasFfmpeg = findProgram('ffmpeg') !== undefined
const skip = hasFfmpeg ? false : 'half of the families show video, which takes ffmpeg'
const fleetOnce = oneFleet(t, { ports: ownPorts(0, 20) })

t.test('routes and tools are served, offered and described', async t => {
  const fleet = await fleetOnce()
  t.same([ROUTES.length, OFFERED.length, MODELS.length], [6, 7, 4])
  await areServed(t, fleet, ROUTES)
  await areOffered(t, fleet, OFFERED)
})

t.test('every route does what it says, on every family', { skip }, async t => routesWork(t, await fleetOnce(), ROUTES))

t.test('every tool does what it says, on every family', { skip }, async t => toolsWork(t, await fleetOnce(), OFFERED))

t.test('what does not fit is refused, and nothing is sent', async t => {
  const fleet = await fleetOnce()
  await routes.inVain(t, fleet, () => routes.refuseBadParameters(t, fleet, ROUTES))
  await routes.inVain(t, fleet, () => tools.refuseBadArguments(t, fleet, OFFERED))
})

t.test('a printer without a session, and one that cannot be reached', async t => {
  const fleet = await fleetOnce()
  await routes.refuseWithoutSession(t, fleet, ROUTES)
  await tools.refuseWithoutSession(t, fleet, OFFERED.filter(({ name }) => name !== 'stop_stream'))
  t.same((await fleet.tool('stop_stream', { name: ENDED })).value, { stopped: false, name: ENDED }, 'any name will do')
  await routes.tellWhyUnreachable(t, fleet, ROUTES)
  await tools.tellWhyUnreachable(t, fleet, OFFERED)
})

t.test('a printer without an address, and one without a camera', async t => {
  const { kernel, inject, tool } = await fleetOnce()
  const usual = { accessCode: '24681357', ports: { mqtt: 1, ftps: 1, camera: 1, rtsps: 1 }, tls: { mode: 'pin' as const } }
  await kernel.printers.add({ ...usual, name: 'nowhere', host: ' ', serial: '01P00A000000009' })
  await kernel.printers.add({ ...usual, name: 'blind', host: '127.0.0.1', serial: 'ZZZ00A000000001' })
  const faults = [['nowhere', 'not_connected', 'Printer hostname is not set'], ['blind', 'no_camera', /./]] as const
  for (const [printer, error, detail] of faults) {
    for (const { method, path } of ROUTES.filter(({ faults }) => faults.some(({ body }) => body?.error === 'no_camera'))) {
      const { status, body } = await inject({ method, url: path, query: { printer } })
      const early = path.endsWith('analyze_active_job') && printer === 'blind' // nothing is known of it yet
      t.match({ status, body }, { status: 400, body: { status: 'error', error: early ? 'not_connected' : error, ...(!early && { detail }) } }, path)
    }
    for (const name of ['start_stream', 'view_stream']) {
      t.match(await tool(name, { name: printer }), { failed: true, value: { error, detail } }, name)
    }
  }
  await kernel.printers.remove('nowhere')
  await kernel.printers.remove('blind')
})

t.test('something unforeseen', async t => {
  await routes.hideStacks(t, ROUTES)
  await tools.sayWhatWasInterrupted(t, OFFERED)
})
