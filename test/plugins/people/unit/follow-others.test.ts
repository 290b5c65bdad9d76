import { mock } from 'node:test'
import t from 'tap'
import { followOthers } from '../../../../plugins/people/follow-others.js'

const AGAIN_MS = 5_000

/** How often everybody was read: at first, and after each further while. */
async function follow (options: { isShared: boolean, fails: readonly boolean[] }) {
  mock.timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  const problems: unknown[] = []
  const read = async () => { if (options.fails[reads++]) throw new Error(`read ${reads}`) }
  const following = followOthers({
    read, isShared: options.isShared, onProblem: error => problems.push(error)
  })
  await following.begin()
  const counts = [reads]
  for (let turn = 0; turn < 3; turn++) {
    mock.timers.tick(AGAIN_MS)
    for (let step = 0; step < 5; step++) await null
    counts.push(reads)
  }
  following.end()
  mock.timers.tick(AGAIN_MS)
  mock.timers.reset()
  return { counts, reads, problems: problems.length }
}

t.test('people of a database of our own are read once', async t => {
  t.same(await follow({ isShared: false, fails: [] }), { counts: [1, 1, 1, 1], reads: 1, problems: 0 })
})

t.test('where others may change them, again and again until the end', async t => {
  t.same(await follow({ isShared: true, fails: [] }), { counts: [1, 2, 3, 4], reads: 4, problems: 0 })
})

t.test('while nobody could be read, too; a row of failures is told once', async t => {
  t.same(await follow({ isShared: false, fails: [true, true, false] }), { counts: [1, 2, 3, 3], reads: 3, problems: 1 })
})
