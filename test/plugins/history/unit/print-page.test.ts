import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

const PRINT = {
  id: 'one',
  name: 'vase',
  result: 'running',
  started_at: 1,
  ended_at: null,
  started_by: '',
  ended_by: '',
  printer: 'x1c',
  model: 'X1C',
  plate: 1,
  parts: null,
  layer: 1,
  total_layers: 2,
  layers_percent: null,
  percent: 1,
  planned_s: 0,
  interruptions: 0,
  cost: null,
  energy: null,
  job: '',
  faults: [],
  filaments: [],
  grams_open_until: 0,
  recordings: [],
  events: [],
  note: '',
  rating: null,
  tags: []
}

t.test('the page of a running print follows it to its end', async t => {
  const hooks = createHooks({ effects: true })
  const live = { onMessage (_: object) {}, onMissed () {} }
  const state = { result: 'running', reads: 0 }
  const call = async (_: string, path: string) => {
    if (path.endsWith('/telemetry')) return { series: [] }
    state.reads++
    return { ...PRINT, result: state.result }
  }
  const { PrintPage } = await pageModules(['history/page/print.js'], {
    packages: {
      components,
      preact: {},
      'preact/hooks': hooks,
      shell: {
        call,
        t: String,
        number: String,
        hasPage: () => false,
        hasText: () => false,
        shell: { language: 'en' },
        follow: (given: typeof live) => { Object.assign(live, given); return () => {} }
      }
    },
    files: {
      'history/page/charts.js': 'export const Charts = () => null; export const Shares = () => null',
      'history/page/list.js': 'export const Swatch = () => null',
      'history/page/reprint.js': 'export const Reprint = () => null'
    }
  })
  const draw = () => hooks.draw(PrintPage, { id: 'one', onGone () {} })
  const settled = async () => { draw(); await new Promise(setImmediate); return draw() }
  const mayPrintAgain = (shown: Awaited<ReturnType<typeof settled>>) => shown.some(({ name, text }) => name === 'button' && text === 'history.reprint')
  t.equal(mayPrintAgain(await settled()), false)
  const { reads } = state
  state.result = 'finished'
  live.onMessage({ topic: 'history', data: { id: 'other' } })
  t.equal(mayPrintAgain(await settled()), false)
  t.equal(state.reads, reads, 'another print is none of it')
  live.onMessage({ topic: 'history', data: { id: 'one' } })
  t.equal(mayPrintAgain(await settled()), true)
  const before = state.reads
  live.onMissed()
  await settled()
  t.ok(state.reads > before, 'and after a gap in the connection')
})
