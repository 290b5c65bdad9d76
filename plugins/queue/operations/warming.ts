import { Type } from 'typebox'
import { mayUse, operation } from '../../../core/index.js'
import { SettingsChanged } from '../../database/index.js'
import { plateIn } from '../decide/index.js'
import { checkWarming, usualSoak, Warming } from '../soak/usual.js'

export const WarmingView = Type.Object({
  ...Warming.properties,
  revision: Type.Integer({ description: 'Of the table: raised by each change' }),
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
    const { table: { rows, otherwise }, revision } = warming
    return { rows: [...rows], otherwise, revision, may_change: mayUse(kernel, setWarming, caller) }
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
  input: Type.Object({
    ...Warming.properties,
    revision: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the table as it was read: refused if somebody changed it since' }))
  }),
  output: Warming,
  errors: [SettingsChanged],
  async preview ({ services: { queue: { store, warming } } }, { revision, ...given }) {
    const table = checkWarming(given)
    const { jobs, files } = await store.snapshot()
    if (revision !== undefined && revision !== warming.revision) throw new SettingsChanged()
    const concerned = jobs.filter(({ needs, alternatives }) => needs.soak === undefined && alternatives.some(way => {
      const plate = plateIn(files.get(way.file), way)
      return plate !== undefined && usualSoak(table, plate) !== undefined
    }))
    return { checked: ['each material is there once'], found: { waiting_jobs: concerned.length } }
  },
  async run ({ services: { queue: { warming, runner } }, askedBy }, { revision, ...given }) {
    const table = checkWarming(given)
    const { rows, otherwise } = await warming.change(() => table, askedBy, revision)
    runner.wake()
    return { rows: [...rows], otherwise }
  }
})
