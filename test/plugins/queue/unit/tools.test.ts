import t from 'tap'
import tools from '../../../../plugins/queue/tools.js'

const toolOf = (name: string) => tools.find(tool => tool.name === name) as any

t.test('an agent releases a printer only from the stop that it has seen', async t => {
  t.same(toolOf('release_printer').input({ stopped_at: 5 }), { stopped_at: 5 })
  const failures = { in_a_row: 2, most: 2, is_usual: true, last: '', stopped_at: 5 as number | null }
  const told = (more: object) => toolOf('list_queue').result({ jobs: [], printers: [{ name: 'x1c', failures: { ...failures, ...more } }] }).printers
  t.same(told({}), [{ name: 'x1c', stopped_at: 5 }])
  t.same(told({ stopped_at: null }), [{ name: 'x1c' }])
})
