import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'

t.test('a time of another day says which day', async t => {
  const { timeText, clock } = await pageModules(['shell/page/shell.js'], {
    globals: {
      document: {
        getElementById: (id: string) => id === 'shell-data' ? { textContent: '{"language":"en","texts":{}}' } : null,
        createElement: () => ({ setAttribute () {} }),
        querySelector: () => null,
        addEventListener () {},
        body: { classList: { contains: () => false } }
      }
    }
  })
  const now = new Date('2026-11-30T21:00').getTime()
  const HOUR = 3_600_000
  t.equal(timeText(now + HOUR, now), clock(now + HOUR))
  t.match(timeText(now + 6 * HOUR, now), /^Tue .*3:00/, 'it ends tomorrow at three')
  t.match(timeText(new Date(now - 240 * HOUR).toISOString(), now), /Nov 20, 2026/)
})
