// Calls every route and tool with good and bad values:
// node --import=tsx test/hardening/run-fuzz.ts --calls 10000 --seed 1
import t from 'tap'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'
import { fleet } from './fleet.js'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } }
})
const calls = Number(values.calls)
const seed = Number(values.seed)

t.setTimeout(3_600_000)
t.test(`${calls} calls, seed ${seed}`, async t => {
  const since = performance.now()
  const { answers, findings, slow } = await fuzz({ ...await fleet(t), calls, seed })
  t.comment(`${Math.round((performance.now() - since) / 1000)} s; ${JSON.stringify(answers)}`)
  t.comment(`where the time went, ms: ${JSON.stringify(slow)}`)
  for (const finding of findings) t.comment(JSON.stringify(finding))
  t.equal(findings.length, 0)
})
