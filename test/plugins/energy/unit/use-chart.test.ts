import t from 'tap'
import { components, shownIn } from '../../../helpers/shown-in.js'
import { pageModules } from '../../../helpers/page-module.js'

const shell = {
  shell: { language: 'en' },
  t: (key: string, { day = '', energy = '' } = {}) => `${key} ${day} ${energy}`,
  number: String
}
const used = { prints_wh: 40, idle_wh: 2, wh: 42, cost: 0 }

t.test('the last column is the day of the service, whatever day the browser has', async t => {
  const { Use } = await pageModules(['energy/page/use.js'], { packages: { shell, components } })
  // No clock of a browser is years behind: this day is the service's alone.
  const use = { ...used, currency: '', today: '2001-03-01', days: [{ day: '2001-03-01', ...used }], printers: [] }
  const columns = shownIn(Use({ use })).filter(({ name }) => name === 'title').map(({ text }) => text)
  t.equal(columns.length, 30)
  t.match(columns.at(-1), /Mar 1 42 Wh/)
  t.match(columns.at(-2), /Feb 28 0 Wh/)
  t.match(columns[0], /Jan 31 /)
})
