import t from 'tap'
import {
  alerts, commands, failovers, overlaps, underOldLease, type Asked, type Fault
} from '../../../bench/fleet-chaos/judge.js'

// A judgement of a long run is worth what it finds when something is wrong.

const at = (node: string, from: number, to: number) => ({ printer: 'p', node, from, to })
const fault = (kind: string, target: string, from: number, to: number): Fault => ({ kind, target, from, to })

t.test('two nodes at a printer are found, also when one only meets the end of the other', async t => {
  t.same(overlaps([at('a', 0, 10), at('b', 10, 20)], []).together, [])
  t.same(overlaps([at('a', 0, 11), at('b', 10, 20)], []).together, ['p: a and b for 1 ms'])
  t.same(overlaps([at('a', 0, 11), at('a', 10, 20)], []).together, [], 'one that connects again is one')
  const stalled = overlaps([at('a', 0, 5_000), at('b', 4_000, 9_000)], [fault('node stands still', 'a', 100, 4_900)])
  t.match(stalled, { together: [], besideStalled: 1 })
  const late = overlaps([at('a', 0, 9_000), at('b', 8_000, 9_000)], [fault('node stands still', 'a', 100, 4_900)])
  t.equal(late.together.length, 1, 'long after it stood still')
})

t.test('commands that came twice, never, or against their word', async t => {
  const asked: Asked[] = (['done', 'done', 'refused', 'unknown'] as const).map((outcome, mark) => ({ mark, outcome, text: '' }))
  const arrived = [0, 0, 2].map(mark => ({ mark, printer: 'p', at: 1 }))
  t.match(commands(asked, arrived), { asked: 4, twice: 1, lost: 1, untrue: ['2: '], unknown: 1, unknownDone: 0 })
})

t.test('a command by one who has the lease no more', async t => {
  const owned = [{ printer: 'p', node: 'a', at: 0 }, { printer: 'p', node: 'b', at: 10 }]
  const sent = (ms: number) => [{ mark: 1, printer: 'p', at: ms }]
  t.match(underOldLease(sent(5), [at('a', 0, 20)], owned), { judged: 1, wrong: [] })
  t.match(underOldLease(sent(15), [at('a', 0, 20)], owned).wrong, [/by a, held by b/])
})

t.test('how long nobody held it', async t => {
  const faults = [fault('node killed', 'a', 100, 500)]
  const ways = [at('a', 0, 100), at('b', 13_100, 20_000)]
  t.same(failovers(ways, faults, ['p'], () => ['a', 'b']), [{ printer: 'p', ms: 13_000, isClean: true }])
  const more = [...faults, fault('server killed', 's', 0, 90)]
  t.match(failovers(ways, more, ['p'], () => ['a', 'b']), [{ isClean: false }])
  t.same(failovers(ways, [fault('node killed', 'b', 100, 500)], ['p'], () => ['a', 'b']), [], 'it had nothing')
})

t.test('alerts that are lost, come twice or are seen by nobody', async t => {
  const stored = (number: number, alert: string) => ({ journal: 'j', number, alert, isKept: true })
  const told = (alert: string, ms: number) => ({ node: 'a', alert, at: ms })
  const fine = alerts([stored(1, 'x'), stored(2, 'y')], [told('x', 1)], [['x', 'y'], ['y', 'x']], [])
  t.match(fine, { twice: 0, gaps: 0, toldAndLost: [], doubled: [], unseen: [], inLogs: [2, 2] })
  const bad = alerts([stored(1, 'x'), stored(1, 'x'), stored(3, 'z')], [told('lost', 1), told('tail', 900)],
    [['x', 'x', 'z'], ['x', 'nobody']], [fault('node killed', 'a', 1_000, 2_000)])
  t.match(bad, { twice: 1, gaps: 1, toldAndLost: ['a: lost'], lostInCrash: 1, doubled: ['x', 'nobody'], unseen: ['2: z'] })
})
