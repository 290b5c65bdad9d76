import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'

const { default: Reporter } = await import(join(import.meta.dirname, 'helpers', 'reporter.mjs')) as { default: new () => Transform }

const RUN = `TAP version 14
1..2
# Subtest: build/first.js
    # Subtest: a good one
        ok 1 - fine
        1..1
    ok 1 - a good one # time=1ms
    1..1
ok 1 - build/first.js # time=2ms

# Subtest: build/second.js
    # Subtest: a bad one
        ok 1 - fine
        not ok 2 - is the same
          ---
          diff: |
            -1
            +2
          ...
        ok 3 - nothing is known of this one
          ---
          at: here
          ...
        1..3
    not ok 1 - a bad one # time=1ms
    1..1
not ok 2 - build/second.js # time=2ms
# { total: 4, pass: 3, fail: 1 }
# time=5ms
`
const SHOWN = `1..2
ok 1 - build/first.js # time=2ms
        not ok 2 - is the same
          ---
          diff: |
            -1
            +2
          ...
    not ok 1 - a bad one # time=1ms
not ok 2 - build/second.js # time=2ms
# { total: 4, pass: 3, fail: 1 }
# time=5ms
`

for (const size of [1, 7, RUN.length]) {
  t.test(`of a run that arrives in pieces of ${size}, folders, failures and totals are shown`, async t => {
    const reporter = new Reporter()
    const shown = text(reporter)
    for (let at = 0; at < RUN.length; at += size) reporter.write(RUN.slice(at, at + size))
    reporter.end()
    t.equal(await shown, SHOWN)
  })
}

t.test('a last line without an end is not lost', async t => {
  const reporter = new Reporter()
  reporter.end('not ok 1 - cut off')
  t.equal(await text(reporter), 'not ok 1 - cut off')
})
