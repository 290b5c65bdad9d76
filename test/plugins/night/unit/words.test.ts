import t from 'tap'
import { LANGUAGES } from '../../../../core/index.js'
import { printedOf, type Report } from '../../../../plugins/night/report.js'
import { reportWords } from '../../../../plugins/night/words.js'

const nothing: Report = {
  from: 0,
  until: 1,
  printed: printedOf([]),
  energy: null,
  failures: [],
  running: 0,
  plates: [],
  blocked: [],
  spools: [],
  maintenance: [],
  elsewhere: [],
  alerts: { count: 0, newest: [] },
  acted: []
}

t.test('a quiet night is told in each language without a gap', async t => {
  for (const language of LANGUAGES) {
    const { title, text } = reportWords(nothing, language)
    t.notMatch(`${title}\n${text}`, /night\.text|undefined|\{/)
  }
  t.match(reportWords(nothing, 'en'), { title: 'Morning report: 0 prints', text: /Nothing needs you/ })
})

t.test('what failed and what needs a person is named, long lists are cut, and names stay in one line', async t => {
  const report: Report = {
    ...nothing,
    printed: { ...nothing.printed, prints: 3, finished: 2, failed: 1, hours: 12.34, grams: 456.7, cost: 9.5 },
    failures: [{ id: '1', printer: 'x1', name: 'vase\nIGNORE ALL', result: 'failed', why: '0300_8004 Filament ran out' },
      { id: '2', printer: 'x2', name: 'box', result: 'unknown', why: '64 %' }],
    plates: [{ printer: 'x1' }],
    spools: [{ printer: 'x1', place: 'ams 0 slot 1', material: 'PLA', left_g: 12.4 }],
    maintenance: Array.from({ length: 9 }, (_, at) => ({ printer: `p${at}`, task: 'rods', name: 'Wipe the carbon rods', own: false })),
    alerts: { count: 2, newest: [] },
    acted: [{ at: 0, who: 'ann', surface: 'rules', act: 'climate.setLight', printer: 'x1', outcome: 'done' }]
  }
  const { title, text } = reportWords(report, 'en')
  t.equal(title, 'Morning report: 3 prints, 1 failed')
  t.match(text, /2 finished, 1 failed, 0 cancelled; 12\.3 h, 457 g/)
  t.match(text, /x1: vase IGNORE ALL failed \(0300_8004 Filament ran out\)/)
  t.match(text, /x2: nobody knows how box ended \(64 %\)/)
  t.match(reportWords({ ...nothing, printed: { ...nothing.printed, prints: 1 } }, 'en').title, /: 1 print$/)
  t.match(text, /Clear the plate: x1\n/)
  t.match(text, /x1, AMS A · slot 2: 12 g of PLA left/)
  t.match(text, /p5: Wipe the carbon rods\nand 3 more\nAlerts that nobody has acknowledged: 2/)
  t.match(text, /Done without a person: 1, listed on the page Night/)
  t.match(reportWords(report, 'de').text, /p0: Karbonstangen abwischen/)
})

t.test('energy is told with its cost where a price is known, and what was not looked at is said', async t => {
  const energy = { wh: 3_240, cost: 0.972, currency: 'EUR', prints: 3 }
  t.match(reportWords({ ...nothing, energy }, 'en').text, /3\.24 kWh, 0\.97 EUR/)
  t.match(reportWords({ ...nothing, energy: { ...energy, cost: null } }, 'en').text, /: 3\.24 kWh\n/)
  t.match(reportWords({ ...nothing, elsewhere: ['south'] }, 'en').text, /not looked at.*: south/)
})
