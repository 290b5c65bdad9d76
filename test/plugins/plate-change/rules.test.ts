import t from 'tap'
import { boot } from '../../helpers/boot.js'

t.test('rules may begin with what became of a plate, and call nothing of it', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/rules/vocabulary')
  const namesOf = (words: unknown) => (words as { name: string }[]).map(({ name }) => name)
  const events = namesOf(body.events)
  for (const name of ['plate.cleared', 'plate.unsure', 'magazine.empty']) t.ok(events.includes(name), name)
  const operations = namesOf(body.operations)
  t.ok(operations.includes('print.pause'))
  t.same(operations.filter(name => name.startsWith('plate-change.')), [], 'a person accepts, refills and measures')
})
