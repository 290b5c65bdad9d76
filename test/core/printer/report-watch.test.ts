import t from 'tap'
import { createAnswerWatch } from '../../../core/printer/answer-watch.js'
import { createReportWatch } from '../../../core/printer/report-watch.js'
import { FULL_REPORT_EVERY_MS } from '../../../core/printer/timeouts.js'
import { createVersionQuery } from '../../../core/printer/version-query.js'
import { GIVE_UP_MS, neverBack } from '../../../core/printer/silence-watchdog.js'

const SILENCE_MS = 30_000

/** A watch without a connection: what it does is noted. */
function build () {
  const clock = { now: 1_000_000 }
  const state = { service: 'CONNECTED', live: true, isSubscribed: true }
  const done: string[] = []
  const watch = createReportWatch({
    now: () => clock.now,
    steady: neverBack(() => clock.now),
    log: { warn: (text: string) => done.push(`warned: ${text}`) } as never,
    serial: '01P00A000000001',
    silenceMs: () => SILENCE_MS,
    status: {
      get service () { return state.service as 'CONNECTED' },
      get live () { return state.live },
      setLive (next: boolean) { state.live = next }
    },
    connection: {
      where: '192.0.2.1:8883',
      get isSubscribed () { return state.isSubscribed },
      renew () { done.push('renewed') }
    },
    versions: createVersionQuery(),
    answers: createAnswerWatch(),
    problem: { set: ({ code }) => done.push(code) },
    post: (...commands) => done.push(commands.map(({ command }) => command).join('+'))
  })
  const after = (ms: number) => {
    clock.now += ms
    watch.check()
    return done.splice(0)
  }
  watch.restart()
  return { watch, clock, state, done, after }
}

t.test('a printer that never reports is asked, then another connection is opened', async t => {
  const { state, after } = build()
  t.same(after(SILENCE_MS - 1), [])
  t.same(after(1), ['no_reports', 'get_version+pushall'])
  t.equal(state.live, false)
  t.notOk(after(GIVE_UP_MS - 1).includes('renewed'))
  t.same(after(1), ['no_reports', 'warned: no reports although they were requested: reconnecting', 'renewed'])
})

t.test('a clock that is set back hides no silence', async t => {
  const { watch, clock, state, after } = build()
  watch.heard()
  clock.now -= 3_600_000
  t.same(after(0), [])
  t.same(after(SILENCE_MS), ['get_version+pushall'])
  t.equal(state.live, false)
  clock.now -= 3_600_000
  after(0)
  t.ok(after(GIVE_UP_MS).includes('renewed'))
})

t.test('whatever it sends begins the silence anew', async t => {
  const { watch, after } = build()
  after(SILENCE_MS)
  watch.heard()
  t.notOk(after(GIVE_UP_MS - 1).includes('renewed'), 'the request counts as answered')
  t.ok(after(1).includes('get_version+pushall'), 'and it is asked again after the same silence')
})

t.test('a full report is requested again no more often than the slicer does', async t => {
  const { watch, done, after } = build()
  watch.incomplete()
  watch.incomplete()
  t.same(done.splice(0), ['get_version+pushall'])
  after(FULL_REPORT_EVERY_MS)
  done.splice(0)
  watch.incomplete()
  t.same(done, ['get_version+pushall'])
})

t.test('nothing is asked of a paused printer, and what it last sent grows old', async t => {
  const { state, after } = build()
  Object.assign(state, { service: 'PAUSED', isSubscribed: false })
  t.same(after(SILENCE_MS - 1), [])
  t.equal(state.live, true)
  t.same(after(1), [])
  t.equal(state.live, false)
})
