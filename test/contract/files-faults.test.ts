import t from 'tap'
import { oneFleet } from './fleet.js'
import * as routes from './http.bad.js'
import { HTTP } from './http.data.js'
import { isOf } from './rows.js'
import * as tools from './tools.bad.js'
import { TOOLS } from './tools.data.js'

const ROUTES = HTTP.filter(isOf('files'))
const OFFERED = TOOLS.filter(isOf('files'))
const fleetOnce = oneFleet(t, { samples: true })

t.test('nothing is listed before the card was looked at', async t => {
  const { inject, names } = await fleetOnce()
  for (const printer of names) {
    for (const url of ['/api/get_sdcard_contents', '/api/get_sdcard_3mf_files']) {
      t.match(await inject({ url, query: { printer, cached: 'true' } }), { status: 200, text: 'null' })
    }
  }
})

t.test('bad parameters are refused, nothing is sent, and the cards stay as they are', async t => {
  const fleet = await fleetOnce()
  await routes.inVain(t, fleet, () => routes.refuseBadParameters(t, fleet, ROUTES))
  await routes.inVain(t, fleet, () => tools.refuseBadArguments(t, fleet, OFFERED))
})

t.test('nothing is done without consent, whatever else is wrong', async t => {
  t.equal(await tools.wantConsent(t, await fleetOnce(), OFFERED), 6)
})

t.test('a printer without a session', async t => {
  const fleet = await fleetOnce()
  await routes.refuseWithoutSession(t, fleet, ROUTES)
  await tools.refuseWithoutSession(t, fleet, OFFERED)
})

t.test('a printer that cannot be reached', async t => {
  const fleet = await fleetOnce()
  await routes.tellWhyUnreachable(t, fleet, ROUTES)
  await tools.tellWhyUnreachable(t, fleet, OFFERED)
})

t.test('what the printer refuses is refused, with its words', async t => {
  const fleet = await fleetOnce()
  await routes.passOnRefusals(t, fleet, ROUTES)
  await tools.passOnRefusals(t, fleet, OFFERED)
})

t.test('a printer that wants signatures is told apart', async t => {
  const fleet = await fleetOnce()
  await routes.tellSignaturesApart(t, fleet, ROUTES)
  await tools.tellSignaturesApart(t, fleet, OFFERED)
})

t.test('while a job starts or runs', async t => {
  const fleet = await fleetOnce()
  t.same(await routes.blockWhilePrinting(t, fleet, ROUTES), ['/api/print_3mf'])
  t.same(await tools.blockWhilePrinting(t, fleet, OFFERED), ['print_file'])
})

t.test('a card that fails is told in the words of each route and tool', async t => {
  const fleet = await fleetOnce()
  await routes.tellCardFailures(t, fleet, ROUTES)
  await tools.tellCardFailures(t, fleet, OFFERED)
})

t.test('something unforeseen', async t => {
  // What is not in the uploads folder is not looked for on a printer.
  await routes.hideStacks(t, ROUTES.filter(({ path }) => path !== '/api/upload_file_to_printer'))
  await tools.sayWhatWasInterrupted(t, OFFERED)
})
