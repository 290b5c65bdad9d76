import t from 'tap'
import { fleet } from './fleet.js'
import { fuzz } from './fuzz.js'

/** More of them: run-fuzz.ts. */
const CALLS = 800
const SEED = 20

t.test('routes and tools, called with good and bad values, neither break nor act when they refuse', async t => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => { rejections.push(reason) }
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const { answers, findings } = await fuzz({ ...await fleet(t), calls: CALLS, seed: SEED })
  t.same(findings, [])
  t.same(rejections, [])
  for (const kind of ['200', '400', 'tool', 'tool error']) {
    t.ok((answers[kind] ?? 0) > 50, `enough of '${kind}'`, { answers })
  }
})
