import { Type } from 'typebox'
import { mayUse, operation } from '../../../core/index.js'
import { plateIn } from '../decide/index.js'
import { checkWarming, usualSoak, Warming } from '../soak/usual.js'

export const WarmingView = Type.Object({
  ...Warming.properties,
  may_change: Type.Boolean({ description: 'The caller may change it' })
}, { 'x-name': 'QueueWarming' })

export const readWarming = operation({
  name: 'queue.readWarming',
  summary: 'What is warmed before jobs that say nothing of it, by material',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: WarmingView,
  async run ({ kernel, caller, services: { queue: { warming } } }) {
    await warming.read()
    const { rows, otherwise } = warming.table
    return { rows: [...rows], otherwise, may_change: mayUse(kernel, setWarming, caller) }
  }
})

export const setWarming = operation({
  name: 'queue.setWarming',
  summary: 'Choose what is warmed before jobs that say nothing of it, by material',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Printers are heated, with nobody there, for up to an hour before each copy of a job that says nothing of it, also of ' +
    'jobs that wait already.',
  note: ({ rows }) => rows.map(({ material }) => material).join(', ') || 'nothing',
  input: Warming,
  output: Warming,
  async preview ({ services: { queue: { store } } }, given) {
    const table = checkWarming(given)
    const { jobs, files } = await store.snapshot()
    const concerned = jobs.filter(({ needs, alternatives }) => needs.soak === undefined && alternatives.some(way => {
      const plate = plateIn(files.get(way.file), way)
      return plate !== undefined && usualSoak(table, plate) !== undefined
    }))
    return { checked: ['each material is there once'], found: { waiting_jobs: concerned.length } }
  },
  async run ({ services: { queue: { warming, runner } }, askedBy }, given) {
    const table = checkWarming(given)
    const { rows, otherwise } = await warming.change(() => table, askedBy)
    runner.wake()
    return { rows: [...rows], otherwise }
  }
})
