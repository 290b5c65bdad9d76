import t from 'tap'
import { boot } from '../../helpers/boot-features.js'

t.test('waits of many seconds, side by side', async t => {
  const models = ['deaf', 'dry', 'late', 'foreign'].map(name => ({ model: 'H2D' as const, name }))
  const { http, tool, printers } = await boot(t, { models })
  const [deaf, dry, late, foreign] = printers

  const never = async () => {
    deaf?.faults.ignore('ams_filament_drying', { acts: false })
    const [{ status, body }, { text }] = await Promise.all([
      http('POST', '/api/turn_on_ams_dryer', { printer: 'deaf', ams_id: 0 }),
      tool('start_ams_dryer', { name: 'deaf', unit_id: 1, user_permission: true })
    ])
    t.equal(status, 500)
    t.equal(body.reason, 'dryer command sent but heater_state did not reach DRYING within 10s (final: OFF)')
    t.match(text, /^Error: the command to dry was sent, but AMS unit 1 \(ams_id=128\) on 'deaf' did not reach DRYING/)
  }
  const already = async () => {
    t.equal((await http('POST', '/api/turn_on_ams_dryer', { printer: 'dry', ams_id: 0 })).status, 200)
    const [{ status, body }, { text, failed }] = await Promise.all([
      http('POST', '/api/turn_on_ams_dryer', { printer: 'dry', ams_id: 0 }),
      tool('start_ams_dryer', { name: 'dry', unit_id: 0, user_permission: true })
    ])
    t.equal(status, 200)
    t.match(body, { status: 'success', heater_state: 'DRYING', confirmed: false })
    t.match(text, /already DRYING.*cannot be confirmed/)
    t.notOk(failed)
    t.equal(dry?.requests.filter(({ body }) => body.command === 'ams_filament_drying').length, 3)
  }
  const tooLate = async () => {
    late?.faults.delayReplies(5_400)
    late?.faults.refuse('ams_change_filament', { reason: 'too late', times: 1 })
    t.equal((await http('POST', '/api/load_filament', { printer: 'late', slot: 0 })).status, 200, 'nothing came within 5 s')
    late?.faults.delayReplies(600)
    t.equal((await http('POST', '/api/load_filament', { printer: 'late', slot: 1 })).status, 200,
      'the refusal of the first, which comes meanwhile, is not that of the second')
  }
  const elsewhere = async () => {
    foreign?.faults.ignore('ams_change_filament')
    const refusal = { command: 'ams_change_filament', ams_id: 0, sequence_id: '7', result: 'fail', err_code: 83935311 }
    const timer = setInterval(() => foreign?.publish(JSON.stringify({ print: refusal })), 500)
    const { text } = await tool('load_filament', { name: 'foreign', unit_id: 0, slot_id: 0, user_permission: true })
    clearInterval(timer)
    t.equal(text, "Load filament command sent for AMS unit 0 slot 0 on 'foreign'.")
  }
  await Promise.all([never(), already(), tooLate(), elsewhere()])
})
