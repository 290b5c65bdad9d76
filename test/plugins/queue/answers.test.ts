import t from 'tap'
import { createManualClock } from '../../../presets/testing/index.js'
import { eventually } from '../../helpers/eventually.js'
import { queueOf, start } from './helpers.js'

t.test('a printer that takes no commands is told of in its state, and gets no jobs', async t => {
  const clock = createManualClock()
  const booted = await start(t, { clock, models: [{ model: 'X1C', name: 'x1c' }] })
  const { http, kernel, printer } = booted
  const session = kernel.printers.get('x1c')
  await eventually(() => session?.state?.firmware.printer !== '') // a question for versions is not open any more
  printer.faults.ignore('*', { acts: false })
  const versionRequests = () => printer.requests.filter(({ command }) => command === 'get_version').length
  for (const level of ['quiet', 'standard', 'sport']) {
    t.match(await http('PATCH', '/api/set_speed_level', { level }), { status: 200 })
  }
  const asked = versionRequests()
  clock.advance(12_000)
  await eventually(() => versionRequests() > asked)
  clock.advance(16_000)
  await eventually(() => session?.problem?.code === 'takes_no_commands')
  await eventually(async () => {
    clock.advance(1_000)
    return /answers no command/.test((await queueOf(booted)).printers[0]?.reason ?? '')
  })
  t.match(session && kernel.services.state.withoutListings(session), { _internalException: /answers no command/ })
})
