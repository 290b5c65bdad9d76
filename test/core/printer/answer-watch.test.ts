import t from 'tap'
import {
  ANSWER_WITHIN_MS, createAnswerWatch, FEWEST_UNANSWERED, PROBE_WITHIN_MS, START_TAKES_MS
} from '../../../core/printer/answer-watch.js'

const command = (name: string, section = 'print') => ({ section, command: name })
const MINUTE_MS = 60_000

/** A watch on a clock of its own that has sent so many commands. */
function watching (...names: readonly string[]) {
  const watch = createAnswerWatch()
  let now = 1_000_000
  const send = (...more: readonly string[]) => { for (const name of more) watch.sent(command(name), now) }
  send(...names)
  return {
    watch,
    send,
    after (ms: number) {
      now += ms
      return watch.check(now)
    },
    restart: () => watch.restart(now)
  }
}

t.test('three unanswered commands ask for the versions, and only without those the connection is renewed', async t => {
  const { watch, after } = watching('pause', 'print_speed', 'gcode_line')
  t.equal(FEWEST_UNANSWERED, 3)
  t.equal(after(ANSWER_WITHIN_MS - 1), 'none')
  t.equal(after(1), 'probe')
  t.equal(after(PROBE_WITHIN_MS - 1), 'none')
  t.equal(watch.isDeaf, false)
  t.equal(after(1), 'renew')
  t.equal(watch.isDeaf, true)
})

t.test('printers that never answer commands, but give their versions, are left alone', async t => {
  const { watch, send, after } = watching('pause', 'print_speed', 'gcode_line')
  for (let round = 0; round < 5; round++) {
    t.equal(after(ANSWER_WITHIN_MS), 'probe')
    watch.versionsCame()
    t.equal(after(MINUTE_MS), 'none')
    send('pause', 'print_speed', 'gcode_line')
  }
})

t.test('a command that was answered before is missed even while the versions come', async t => {
  const { watch, send, after, restart } = watching('gcode_line')
  watch.answered('gcode_line')
  send('gcode_line', 'gcode_line')
  t.equal(after(ANSWER_WITHIN_MS), 'none', 'two may be lost')
  send('gcode_line')
  t.equal(after(ANSWER_WITHIN_MS), 'renew')
  restart()
  watch.versionsCame()
  t.equal(watch.isDeaf, false)
  t.equal(after(MINUTE_MS), 'none')
})

t.test('what is sent all the time hides nothing', async t => {
  const { send, after } = watching()
  const seen = Array.from({ length: 20 }, () => {
    send('gcode_line')
    return after(1_000)
  })
  t.equal(seen.filter(action => action === 'probe').length, 1)
})

t.test('an answer to any command ends the count', async t => {
  const { watch, send, after } = watching('pause', 'print_speed')
  watch.answered('print_speed')
  send('pause', 'pause')
  t.equal(after(MINUTE_MS), 'none')
})

t.test('requests for reports and versions are no commands', async t => {
  const { watch, after } = watching()
  for (let at = 0; at < 9; at++) {
    watch.sent(command('pushall', 'pushing'), 1_000_000)
    watch.sent(command('get_version', 'info'), 1_000_000)
  }
  t.equal(after(MINUTE_MS), 'none')
})

t.test('pauses between renewals grow up to an hour', async t => {
  const { after, restart } = watching('pause', 'print_speed', 'gcode_line')
  after(ANSWER_WITHIN_MS)
  const pauses: number[] = []
  let waited = PROBE_WITHIN_MS
  t.equal(after(PROBE_WITHIN_MS), 'renew', 'the first comes at once')
  restart()
  waited = 0
  while (pauses.length < 5) {
    waited += 5_000
    if (after(5_000) !== 'renew') continue
    pauses.push(waited / MINUTE_MS)
    waited = 0
    restart()
  }
  t.strictSame(pauses, [1, 5, 15, 60, 60])
})

t.test('a printer that was told to print is given its time: some fail when the connection ends meanwhile', async t => {
  const { watch, after } = watching('project_file', 'print_speed', 'gcode_line')
  t.equal(after(ANSWER_WITHIN_MS), 'probe')
  t.equal(after(PROBE_WITHIN_MS), 'none')
  t.equal(watch.isDeaf, true, 'it is told all the same')
  t.equal(after(START_TAKES_MS - ANSWER_WITHIN_MS - PROBE_WITHIN_MS - 1), 'none')
  t.equal(after(1), 'renew')
})
