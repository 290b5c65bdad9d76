import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

t.test('a filter for a day has the whole day, also when clocks are changed', async t => {
  const { TZ } = process.env
  t.teardown(() => { if (TZ === undefined) delete process.env.TZ; else process.env.TZ = TZ })
  process.env.TZ = 'Europe/Berlin'
  const { paramsOf } = await pageModules(['history/page/list.js'], {
    packages: { shell: { t: String, shell: {} }, components: { html: () => '', Icon: () => '' } }
  })
  const hours = (day: string): number => {
    const { since, until } = paramsOf({ since: day, until: day })
    return (until - since) / 3_600_000
  }
  t.same(['2026-10-24', '2026-10-25', '2026-03-29'].map(hours), [24, 25, 23])
})
