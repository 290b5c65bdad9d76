import t from 'tap'
import { boot } from '../../helpers/boot-features.js'

t.test('a tool that changes something refuses an argument that does not exist', async t => {
  const { tool, printer, name } = await boot(t)
  const before = printer.requests.length
  for (const [which, args, problem] of [
    ['set_bed_temp', { temp: 60, tmep: 80 }, /^Error: unknown argument 'tmep'; did you mean 'temp'\?$/],
    ['set_nozzle_temp', { temp: 60, extrudr: 1 }, /^Error: unknown argument 'extrudr'; did you mean 'extruder'\?$/],
    ['print_file', { file_path: '/a.3mf', platenum: 2 }, /unknown argument 'platenum'; did you mean 'plate_num'\?/],
    ['set_bed_temp', { temp: 60, ['x'.repeat(9)]: 1 }, /unknown argument 'xxxxxxxxx'; known arguments: name, temp, user_permission/]
  ] as const) {
    const answer = await tool(which, { name, user_permission: true, ...args })
    t.ok(answer.failed, which)
    t.match(answer.text, problem)
  }
  t.equal(printer.requests.length, before, 'nothing was sent')
  const clears = await tool('get_pending_alerts', { name, claer: false })
  t.notOk(clears.failed, 'reads ignore it')
})

t.test('name and permission are taken by every tool', async t => {
  const { tool, name } = await boot(t)
  t.notOk((await tool('set_user_pref', { name, key: 'k', value: 1, user_permission: true })).failed)
  t.notOk((await tool('truncate_log', { name, user_permission: true })).failed)
})

t.test('listed words are taken without regard to case', async t => {
  const { tool, name } = await boot(t)
  for (const quality of ['PREVIEW', ' Preview ']) {
    t.notMatch((await tool('analyze_active_job', { name, quality })).text, /quality must be/, quality)
  }
  t.match((await tool('analyze_active_job', { name, quality: 'loud' })).text, /quality must be one of auto/)
  for (const [which, args] of [['set_fan_speed', { fan: ' Part_Cooling ', speed_percent: 10 }],
    ['set_print_speed', { speed_level: ' Sport ' }], ['set_print_option', { option: 'Auto_Recovery', enabled: true }],
    ['get_snapshot', { resolution: '720P' }], ['refresh_sdcard', { mode: ' FULL ' }]] as const) {
    const answer = await tool(which, { name, user_permission: true, ...args })
    t.notOk(answer.failed, `${which}: ${answer.text}`)
  }
})
