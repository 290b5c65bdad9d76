import t from 'tap'
import { boot } from '../../helpers/boot.js'

t.test('route and tool send the same command', async t => {
  const { http, tool, printer, name } = await boot(t)
  const before = printer.requests.length
  t.same((await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 60 })).body, { status: 'success' })
  const answer = await tool('set_bed_temp', { name, temp: 60, user_permission: true })
  t.equal(answer.text, `Bed temp target set to 60°C on '${name}'.`)
  const [first, second] = printer.requests.slice(before).map(({ body }) => ({ ...body, sequence_id: '' }))
  t.match(first, { command: 'gcode_line', param: 'M140 S60\n' })
  t.same(first, second)
})
