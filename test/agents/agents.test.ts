import t from 'tap'
import { boot } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { eagerAgent, idleAgent, referenceAgent } from './reference-agent.js'
import { markdownOf, runTasks, scoreOf, type TaskResult } from './run-tasks.js'
import { TASKS } from './tasks.data.js'
import { World } from './world.js'

const SETTLE_MS = 250
/** Tasks that are done by leaving the printers alone need an answer as well, so doing nothing earns nothing. */
const MOST_OF_IDLE = 0
const MOST_OF_EAGER = 2

const failed = (results: readonly TaskResult[]) => results.filter(({ done }) => !done)

t.test('the benchmark of agents can be passed, and failed', async t => {
  const world = new World(SETTLE_MS)
  await world.start()
  t.teardown(() => world.stop())
  const { kernel } = await boot(t, { models: [], listen: true, config: { printers: world.configuration() } })
  await eventually(() => kernel.printers.sessions.every(({ live }) => live), 20_000)
  const url = `http://127.0.0.1:${kernel.apiPort}/mcp`
  t.equal(TASKS.length, 20)
  t.equal(new Set(TASKS.map(({ id }) => id)).size, 20)

  const reference = await runTasks(world, url, referenceAgent)
  t.same(failed(reference), [], `${scoreOf(reference)} of ${TASKS.length} by the reference`)
  t.match(markdownOf(reference, 'reference'), /^# reference: 20 of 20\n/)

  const idle = await runTasks(world, url, idleAgent)
  t.ok(scoreOf(idle) <= MOST_OF_IDLE, `${scoreOf(idle)} by one that does nothing`)
  const eager = await runTasks(world, url, eagerAgent)
  t.ok(scoreOf(eager) <= MOST_OF_EAGER, `${scoreOf(eager)} by one that says yes to everything`)
})
