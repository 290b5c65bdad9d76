import t from 'tap'
import { usedPlates } from '../../../../plugins/night/report.js'
import { OFF, type Settings } from '../../../../plugins/night/settings.js'
import { sinceOf } from '../../../../plugins/night/store.js'

const job = (printers: string[] = []) => ({ copies: 1, taken: 0, held: false, needs: { printers } })

/** Two printers here, the second one printing, and what the queue has stored of those elsewhere. */
function plates (jobs: object[], stored: Record<string, string>, busy: string[] = []) {
  const states: Record<string, string> = { here: 'FINISH', prints: 'RUNNING' }
  const kernel: any = {
    printers: { names: Object.keys(states), get: (name: string) => ({ state: { job: { gcodeState: states[name] } } }) },
    optional: { queue: { statusOf: () => ({ plate: 'used', copies_wait: jobs.length > 0, job: '' }) } }
  }
  const snapshot: any = {
    jobs,
    runs: busy.map(serial => ({ serial })),
    plates: new Map(Object.entries(stored).map(([serial, state]) => [serial, { state }]))
  }
  return usedPlates(kernel, snapshot, new Map([['S', 'south'], ['W', 'west']]))
}

t.test('plates to clear are also those of another service, and none that is printed on', async t => {
  t.same(plates([job()], { S: 'used', W: 'clear' }), ['here', 'south'])
  t.same(plates([job(['west'])], { S: 'used', W: 'used' }), ['here', 'west'])
  t.same(plates([job()], { S: 'used', W: 'taken' }, ['S']), ['here'])
  t.same(plates([], { S: 'used', W: 'used' }), [])
})

t.test('whoever is added after the hour gets the next report, and a new time zone repeats none', async t => {
  const value: Settings = { ...OFF, report: { at: '07:00', targets: ['ann'], language: 'en' } }
  const known = { value, since: { report: 1, watch: 2 } }
  t.same(sinceOf(known, { ...value, quiet: { ...value.quiet, hours: '22:00-07:00' } }, 9), known.since)
  t.same(sinceOf(known, { ...value, report: { ...value.report, language: 'de' } }, 9), known.since)
  t.match(sinceOf(known, { ...value, report: { ...value.report, targets: ['ann', 'ben'] } }, 9), { report: 9, watch: 2 })
  t.match(sinceOf(known, { ...value, time_zone: 'Asia/Tokyo' }, 9), { report: 9, watch: 2 })
  t.match(sinceOf(known, { ...value, watch: { ...value.watch, after_min: 5 } }, 9), { report: 1, watch: 9 })
})
