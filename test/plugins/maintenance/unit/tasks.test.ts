import t from 'tap'
import { MODELS } from '../../../../core/index.js'
import { emptyRow, tasksOf, appliesTo } from '../../../../plugins/maintenance/tasks.js'
import { TASKS, type BuiltInTask } from '../../../../plugins/maintenance/tasks.data.js'
import { texts } from '../../../../plugins/maintenance/texts/index.js'

const tasks: readonly BuiltInTask[] = TASKS

t.test('each built-in task has an interval, and its words in every language', async t => {
  for (const { id, every } of tasks) {
    t.ok(Object.values(every).every(value => value > 0) && Object.keys(every).length > 0, id)
    for (const [language, words] of Object.entries(texts) as [string, Record<string, string>][]) {
      t.ok(words[`maintenance.task.${id}`] && words[`maintenance.why.${id}`], `${id} in ${language}`)
    }
  }
})

t.test('each model has one kind of guides, and only what it has is looked after', async t => {
  const idsOf = (name: string, hasAms = false, hasDryer = false) => {
    const model = MODELS.find(({ model }) => model === name)
    if (!model) throw new Error(name)
    return tasks.filter(task => task.suits({ model, hasAms, hasDryer })).map(({ id }) => id)
  }
  for (const { model } of MODELS) {
    t.equal(idsOf(model).filter(id => ['rods', 'rails', 'guides'].includes(id)).length, 1, model)
    t.equal(idsOf(model, true).includes('ams_dry') && !idsOf(model).includes('ams_dry'), true, `${model}: AMS`)
  }
  t.ok(idsOf('X1C').includes('rods') && idsOf('X1C').includes('filter') && !idsOf('X1C').includes('chamber'))
  t.ok(idsOf('H2D').includes('chamber') && idsOf('H2D').includes('guides'))
  t.notOk(idsOf('A1').includes('filter'))
  t.ok(idsOf('A1_MINI', true, true).includes('dryer'))
})

t.test('people change intervals, choose printers, switch tasks off and add their own', async t => {
  const row = { ...emptyRow('plate'), every: '{"prints":5}', printers: '["s1"]', blocks: 1 }
  const own = { ...emptyRow('own-1'), name: 'Empty the bin', every: '{"days":7}' }
  const [plate, ...rest] = tasksOf([row, own, { ...own, id: 'own-2', archived: 1 }])
  t.match(plate, { every: { prints: 5 }, isUsual: false, blocks: true, name: 'Wash the build plate' })
  t.match(rest.at(-1), { id: 'own-1', name: 'Empty the bin', isOwn: true })
  t.notOk(rest.some(({ id }) => id === 'own-2'), 'one that was removed')
  const equipment = { model: MODELS[0]!, hasAms: false, hasDryer: false }
  if (!plate) throw new Error('no task')
  t.same(['s1', 's2'].map(serial => appliesTo(plate, serial, equipment)), [true, false])
  t.notOk(appliesTo({ ...plate, isOff: true }, 's1', equipment))
})
