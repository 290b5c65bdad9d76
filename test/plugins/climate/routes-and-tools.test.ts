import t from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { unreachable } from '../../contract/fleet.js'

/** What a session asks of its own now and then. */
const OWN: readonly unknown[] = ['get_version', 'pushall']

/** What was sent on behalf of somebody. */
const commandsTo = ({ requests }: VirtualPrinter) => requests.filter(({ body }) => !OWN.includes(body.command))

t.test('route and tool send the same command', async t => {
  const { http, tool, printer, name } = await boot(t)
  const before = commandsTo(printer).length
  t.same((await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 60 })).body, { status: 'success' })
  const answer = await tool('set_bed_temp', { name, temp: 60, user_permission: true })
  t.equal(answer.text, `Bed temp target set to 60°C on '${name}'.`)
  const [first, second] = commandsTo(printer).slice(before).map(({ body }) => ({ ...body, sequence_id: '' }))
  t.match(first, { command: 'gcode_line', param: 'M140 S60\n' })
  t.same(first, second)
})

t.test('a printer of an unknown model is not heated beyond what any model reaches', async t => {
  const { kernel, http } = await boot(t, { models: ['A1_MINI'] })
  await kernel.printers.add({ ...unreachable('odd'), serial: '99900A000000001' })
  t.equal(kernel.printers.resolve('odd').model.model, 'UNKNOWN')
  for (const [path, temp, most] of [['set_tool_target_temp', 500, 350], ['set_bed_target_temp', 140, 120]] as const) {
    const answer = await http('PATCH', `/api/${path}`, { printer: 'odd', temp })
    t.match(answer, { status: 400, body: { reason: new RegExp(`^temp must be at most ${most} °C`) } }, path)
  }
})

t.test('an external chamber heater would obey any target, so there is a highest one', async t => {
  const { http, name, kernel } = await boot(t)
  t.match(await http('PATCH', '/api/set_chamber_target_temp', { printer: name, temp: 140 }),
    { status: 400, body: { reason: 'temp must be at most 100 °C for a chamber heater of your own' } })
  t.equal(kernel.printers.resolve(name).state?.heat.chamber.target, 0)
  t.match(await http('PATCH', '/api/set_chamber_target_temp', { printer: name, temp: 60 }), { status: 200 })
})

t.test('a chamber target that the printer refuses leaves its air duct alone', async t => {
  const { http, printer, name } = await boot(t, { models: ['H2D'] })
  printer.faults.refuse('set_ctt')
  const since = commandsTo(printer).length
  t.match(await http('PATCH', '/api/set_chamber_target_temp', { printer: name, temp: 50 }), { status: 409 })
  t.same(commandsTo(printer).slice(since).map(({ body }) => body.command), ['set_ctt'])
})

t.test('a fan that the model does not have is refused, and nothing is sent', async t => {
  const { http, tool, printers, kernel } = await boot(t, { models: ['A1_MINI', 'P2S', 'X1C'] })
  const sent = () => printers.map(virtual => commandsTo(virtual).length)
  const before = sent()
  for (const [name, path, fan, reason] of [
    ['a1-mini', 'set_aux_fan_speed_target', 'aux', "'a1-mini' has no auxiliary fan"],
    ['a1-mini', 'set_exhaust_fan_speed_target', 'exhaust', "'a1-mini' has no exhaust fan"],
    ['p2s', 'set_exhaust_fan_speed_target', 'exhaust', "'p2s' has no exhaust fan"]
  ] as const) {
    t.match(await http('PATCH', `/api/${path}`, { printer: name, percent: 50 }),
      { status: 400, body: { status: 'error', error: 'unsupported', reason } })
    const answer = await tool('set_fan_speed', { name, fan, speed_percent: 50, user_permission: true })
    t.equal(answer.text, `Error: ${reason}`)
  }
  t.same(sent(), before)
  t.ok(kernel.printers.get('p2s')?.model.chamberFan, 'its exhaust is a kit, which the air duct would list')
  for (const name of ['p2s', 'x1c']) {
    t.equal((await http('PATCH', '/api/set_aux_fan_speed_target', { printer: name, percent: 50 })).status, 200, name)
  }
  t.equal((await http('PATCH', '/api/set_exhaust_fan_speed_target', { printer: 'x1c', percent: 50 })).status, 200)
})

t.test('a chamber target that nothing heats to is stored, and said to be no more than that', async t => {
  const { http, tool, printer, name } = await boot(t, { models: ['A1_MINI'] })
  const before = commandsTo(printer).length
  const note = "'a1-mini' has no chamber heater: nothing was sent, the target is only stored for an external chamber"
  t.same((await http('PATCH', '/api/set_chamber_target_temp', { temp: 45 })).body, { status: 'success', note })
  const { text, result, value } = await tool('set_chamber_temp', { name, temp: 45, user_permission: true })
  t.equal(text, `Chamber temp target set to 45°C on '${name}'.`)
  t.match(result.content, [{ text }, { text: note }])
  t.same(value, { result: text, note })
  t.equal(commandsTo(printer).length, before)
})

t.test('of two simultaneous tool changes one acts, and both are told so', async t => {
  const { http, tool, printer, name, kernel } = await boot(t, { models: [{ model: 'H2D', reportEveryMs: 100 }] })
  const changes = () => printer.requests.filter(({ body }) => body.command === 'select_extruder').length
  const toolNow = () => kernel.printers.get(name)?.state?.activeTray.tool
  const first = toolNow() ?? 0
  const toggle = () => http('PATCH', '/api/toggle_active_tool')
  t.equal((await http('PATCH', '/api/toggle_active_tool', { tool: first })).status, 200)
  t.equal(changes(), 0, 'the wanted one is active already: somebody else has changed it')
  const answers = await Promise.all([toggle(), toggle()])
  t.same(answers.map(({ status }) => status).sort(), [200, 409])
  t.match(answers.find(({ status }) => status === 409)?.body, { error: 'tool_changing', reason: /active tool is changing/ })
  t.equal(changes(), 1)
  await eventually(() => toolNow() === 1 - first)
  const swap = () => tool('swap_tool', { name, user_permission: true })
  const [swapped, toggled] = await Promise.all([swap(), toggle()])
  t.not(swapped.failed, toggled.status !== 200, 'the tool that swaps is the same act')
  t.equal(changes(), 2)
  await eventually(() => toolNow() === first)
  await eventually(async () => (await toggle()).status === 200)
})

t.test('a command that is not answered is a success that was not confirmed', async t => {
  const { http, tool, printer, name } = await boot(t)
  for (const command of ['gcode_line', 'print_option']) printer.faults.ignore(command)
  const { body, status } = await http('PATCH', '/api/set_bed_target_temp', { temp: 60 })
  t.equal(status, 200)
  t.same(body, { status: 'success', confirmed: false })
  const { text, value, result } = await tool('set_bed_temp', { name, temp: 60, user_permission: true })
  t.equal(text, `Bed temp target set to 60°C on '${name}'.`)
  t.same(value, { result: text, confirmed: false })
  t.match(result.content[1], { type: 'text', text: /^confirmed: false\./ })
  const options = await tool('set_print_options', { name, auto_recovery: true, user_permission: true })
  t.match(options.value, { success: true, confirmed: false })
})
