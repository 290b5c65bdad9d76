import t from 'tap'
import { Maintenance, type ServiceDeps } from '../../../../plugins/maintenance/service.js'

t.test('a reading that took longer does not undo a later one', async t => {
  const row = { id: 'own-1', name: 'Bin', why: '', every: '{"prints":2}', printers: '', blocks: 0, is_off: 0, archived: 0, changed_at: 1, changed_by: 'ann' }
  let answerFirst = (_rows: object[]): void => {}
  const slow = new Promise<object[]>(resolve => { answerFirst = resolve })
  const answers = [slow, Promise.resolve([row])]
  const none = async () => []
  const tasks = { printers: none, tasks: () => answers.shift(), lastDone: none }
  const wear = { counters: async () => new Map(), materials: async () => new Map() }
  const kernel = { now: () => 1, printers: { sessions: [] } }
  const maintenance = new Maintenance({ kernel, tasks, wear } as unknown as ServiceDeps)
  const first = maintenance.read()
  await maintenance.read(false)
  const own = () => maintenance.tasks().filter(({ isOwn }) => isOwn).map(({ name }) => name)
  t.same(own(), ['Bin'])
  answerFirst([])
  await first
  t.same(own(), ['Bin'], 'the earlier reading did not know of it')
})
