import t from 'tap'
import { Maintenance, type ServiceDeps } from '../../../../plugins/maintenance/service.js'
import { emptyRow } from '../../../../plugins/maintenance/tasks.js'
import { taskView } from '../../../../plugins/maintenance/views.js'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

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

t.test('a printer that was removed does not make its task one of every printer', async t => {
  let row = { ...emptyRow('own-1'), name: 'Bin', every: '{"prints":2}', printers: '["gone"]', blocks: 1 }
  const none = async () => []
  const tasks = {
    printers: none,
    tasks: async () => [row],
    lastDone: none,
    putTask: async (_id: string, change: (known: typeof row) => typeof row) => { row = change(row) }
  }
  const wear = { counters: async () => new Map(), materials: async () => new Map() }
  const printers = { names: ['x1c'], config: (name: string) => name === 'x1c' ? { serial: 's1' } : undefined, sessions: [] }
  const kernel = { now: () => 1, printers }
  const maintenance = new Maintenance({ kernel, tasks, wear, changed () {} } as unknown as ServiceDeps)
  await maintenance.read()
  const nameOf = (serial: string) => serial === 's1' ? 'x1c' : undefined
  const view = () => maintenance.tasks().filter(({ isOwn }) => isOwn).map(task => taskView(task, nameOf))
  t.match(view(), [{ printers: [], elsewhere: true }], 'which does not read as every printer')
  await maintenance.changeTask('own-1', { printers: ['x1c'], every: { prints: 3 } }, 'ann')
  t.equal(row.printers, '["s1","gone"]')
  await maintenance.changeTask('own-1', { printers: [] }, 'ann')
  t.match(view(), [{ printers: [], elsewhere: false }], 'only when somebody says so')

  const { printersOf } = await pageModules(['maintenance/page/tasks.js'], {
    packages: { shell: { t: String, shell: {} }, components, 'preact/hooks': createHooks() }
  })
  const formOf = (...fields: readonly (readonly [string, string])[]) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    return form
  }
  t.same(printersOf(formOf(), { printers: [], elsewhere: true }), {}, 'nothing is said of printers that are not here')
  t.same(printersOf(formOf(['everyone', 'on'])), { printers: [] })
  t.same(printersOf(formOf(['printers', 'x1c'])), { printers: ['x1c'] })
  t.throws(() => printersOf(formOf(), { printers: ['x1c'], elsewhere: false }), { message: 'maintenance.printers.choose' })
})
