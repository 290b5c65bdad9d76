import t from 'tap'
import { oneFleet } from './fleet.js'
import {
  blockWhilePrinting, hideStacks, inVain, passOnRefusals, refuseBadParameters, refuseWithoutSession,
  tellSignaturesApart, tellWhyUnreachable
} from './http.bad.js'
import { HTTP, N } from './http.data.js'
import { CONTROL, isOf } from './rows.js'

const fleetOnce = oneFleet(t)
const ROWS = HTTP.filter(isOf(...CONTROL))

t.test('bad parameters are refused, and nothing is sent', async t => {
  const fleet = await fleetOnce()
  await inVain(t, fleet, () => refuseBadParameters(t, fleet, ROWS))
})

t.test('a printer without a session gets one answer everywhere', async t => {
  t.ok(ROWS.filter(({ faults }) => faults.includes(N)).length >= 23)
  await refuseWithoutSession(t, await fleetOnce(), ROWS)
})

t.test('a printer that cannot be reached', async t => tellWhyUnreachable(t, await fleetOnce(), ROWS))

t.test('what the printer refuses is refused, with its words', async t => passOnRefusals(t, await fleetOnce(), ROWS))

t.test('a printer that wants signatures is told apart', async t => tellSignaturesApart(t, await fleetOnce(), ROWS))

t.test('while a job starts or runs', async t => {
  t.same(await blockWhilePrinting(t, await fleetOnce(), ROWS), ['/api/send_gcode'])
})

t.test('the tool cannot be changed while it is changing', async t => {
  const fleet = await fleetOnce()
  await fleet.become('idle', ['h2d'])
  const swap = () => fleet.inject({ method: 'PATCH', url: '/api/toggle_active_tool', payload: { printer: 'h2d' } })
  const toolIs = (tool: number) => fleet.session('h2d').until(({ activeTray }) => activeTray.tool === tool, 2_000)
  t.equal((await swap()).status, 200)
  fleet.advance(200)
  t.ok(await toolIs(15))
  const { status, body } = await swap()
  t.equal(status, 409)
  t.match(body, { status: 'error', error: 'tool_changing', reason: /active tool is changing/ })
  fleet.advance(10_000)
  t.ok(await toolIs(1))
})

t.test('a command that was never answered is not passed off as done', async t => {
  const { inject, of } = await fleetOnce()
  const lift = of('x1c').faults.ignore('gcode_line')
  const url = '/api/set_bed_target_temp?printer=x1c&temp=50'
  const { status, body, headers } = await inject({ method: 'PATCH', url })
  lift()
  t.equal(status, 200)
  t.same(body, { status: 'success', confirmed: false })
  t.equal(headers['prnd-command'], 'unconfirmed')
})

t.test('something unforeseen is told without its stack, unless somebody debugs', t => hideStacks(t, ROWS))
