import t from 'tap'
import { boardOf } from '../../../../plugins/queue/board/index.js'
import { decide, type PrinterView, type WaitingJob } from '../../../../plugins/queue/decide/index.js'
import { forecast } from '../../../../plugins/queue/forecast/index.js'
import type { Run, Snapshot } from '../../../../plugins/queue/types.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../views.js'

const NOON = new Date(2026, 0, 5, 12).getTime()
const FILES = [slicedFile('a'), slicedFile('b', { type: 'ABS' })]

async function boardFor (
  printers: readonly PrinterView[], jobs: readonly WaitingJob[], runs: readonly Partial<Run>[]
) {
  const view = queueView(printers, jobs, FILES)
  const decision = decide(view, await finder())
  const snapshot = { jobs: jobs.map(({ job }) => job), runs, files: view.files } as unknown as Snapshot
  const outlook = { view, decision, snapshot, forecast: forecast(view, decision, snapshot) }
  return boardOf(outlook, { limit: 10, from: 0, hours: 24 })
}

t.test('jobs are grouped by where they stand, priority, name and part', async t => {
  const part = { name: 'part' }
  const jobs = [
    waitingJob('1', { ...part, copies: 3, finished: 1, taken: 2 }),
    waitingJob('2', { ...part, position: 1 }),
    waitingJob('3', { ...part, position: 2, priority: 1 }),
    waitingJob('4', { ...part, position: 3, held: true }),
    waitingJob('5', { name: 'other', position: 4, alternatives: [{ file: 'b', plate: 1 }] }),
    waitingJob('6', { ...part, position: 5 })
  ]
  const busy = printerView('busy')
  const spare = printerView('spare', { trays: [tray(0, 'PLA', '#FFFFFF')] })
  const { groups, summary, lanes } = await boardFor([busy, spare], jobs,
    [{ job: '1', serial: 'busy', printer: 'busy', state: 'printing', createdAt: NOON, sentAt: NOON, seconds: 600, reason: '' }])
  const shown = groups.map(({ section, name, jobs, finished, copies, priority }) =>
    [section, name, jobs, finished, copies, priority])
  t.same(shown, [
    ['needs_person', 'other', 1, 0, 1, 0],
    ['printing', 'part', 1, 1, 3, 0],
    ['waiting', 'part', 1, 0, 1, 1],
    ['waiting', 'part', 2, 0, 2, 0],
    ['held', 'part', 1, 0, 1, 0]
  ])
  t.match(groups[0], { expected: null, why: { code: 'missing' } }, 'what is missing')
  t.match(summary, { printing: 1, waiting: 5, needs_person: 1, held: 1 })
  t.same(lanes.map(({ printer, bars }) => [printer, bars.map(({ job, is_running: runs }) => `${job}${runs ? ' now' : ''}`)]),
    [['busy', ['1 now', '1', '6']], ['spare', ['3', '2']]])
})

type Rows = Readonly<Record<'from' | 'to' | 'before' | 'after', number>>
const { visibleRows } = await import(new URL('../../../../plugins/shell/page/visible-rows.js', import.meta.url).href) as
  { visibleRows: (ends: readonly number[], top: number, bottom: number) => Rows }

t.test('of a long list only what is near the visible part is drawn', t => {
  const ends = Array.from({ length: 5_000 }, (_, at) => (at + 1) * 50)
  t.same(visibleRows(ends, 0, 900), { from: 0, to: 33, before: 0, after: 250_000 - 33 * 50 })
  const middle = visibleRows(ends, 100_000, 100_900)
  t.same([middle.from * 50, middle.to * 50], [middle.before, 250_000 - middle.after], 'the space of the others is kept')
  t.ok(middle.to - middle.from < 60)
  t.same(visibleRows([], 0, 900), { from: 0, to: 0, before: 0, after: 0 })
  t.end()
})
