import t from 'tap'
import { createManualClock, parseRecording, playRecording } from '../../../plugins/emulator/index.js'
import { bench } from './listener.js'

const status = (msg: number, extra: object): object => ({ print: { command: 'push_status', msg, ...extra } })
const line = (at: number, payload: unknown): string => JSON.stringify({ t: at, payload })

t.test('lines become frames, blank ones are passed over', async t => {
  const text = `${line(0, { print: {} })}\r\n\n${line(1500, 'raw {')}\n`
  t.same(parseRecording(text), [{ t: 0, payload: { print: {} } }, { t: 1500, payload: 'raw {' }])
  t.same(parseRecording(''), [])
})

t.test('a fault names its line', async t => {
  const bad: readonly (readonly [string, RegExp])[] = [
    [`${line(0, {})}\n{`, /line 2: not JSON/],
    [`\n\n${JSON.stringify([1])}`, /line 3: not an object/],
    [line(-1, {}), /line 1: "t"/],
    [JSON.stringify({ payload: {} }), /line 1: "t"/],
    [JSON.stringify({ t: '5', payload: {} }), /line 1: "t"/],
    [line(0, 5), /line 1: "payload"/],
    [JSON.stringify({ t: 0 }), /line 1: "payload"/],
    [`${line(500, {})}\n${line(400, {})}`, /line 2: "t" goes back from 500 to 400/]
  ]
  for (const [text, message] of bad) t.throws(() => parseRecording(text), { name: 'SyntaxError', message })
})

t.test('frames are played at their time', async t => {
  const clock = createManualClock()
  const seen: number[] = []
  const frames = [{ t: 0, payload: 'a' }, { t: 1000, payload: 'b' }, { t: 1000, payload: 'c' }, { t: 5000, payload: 'd' }]
  const playback = playRecording(frames, clock, () => seen.push(clock.now()))
  clock.advance(999)
  t.same(seen, [0])
  clock.advance(10_000)
  t.same(seen, [0, 1000, 1000, 5000])
  await playback.done
})

t.test('a loop starts again, until it is stopped', async t => {
  const clock = createManualClock()
  let count = 0
  const playback = playRecording([{ t: 0, payload: 'a' }, { t: 99, payload: 'b' }], clock, () => { count++ }, { loop: true })
  clock.advance(999)
  t.equal(count, 20)
  playback.stop()
  await playback.done
  clock.advance(1000)
  t.equal(count, 20)
})

t.test('an empty recording ends at once, looped or not', async t => {
  const clock = createManualClock()
  const played: unknown[] = []
  await playRecording([], clock, frame => played.push(frame)).done
  await playRecording([], clock, frame => played.push(frame), { loop: true }).done
  t.same(played, [])
})

t.test('a recording takes the place of the printer\'s own reports', async t => {
  const b = await bench(t, { model: 'H2D' })
  await b.settle()
  const before = b.reports().length
  const frames = parseRecording([
    line(0, status(1, { mc_percent: 1 })),
    line(2000, status(0, { mc_percent: 2, ams: {} })),
    line(4000, '{"half":')
  ].join('\n'))
  const playback = b.printer.play(frames)
  await b.live(1)
  t.same(b.reports().slice(before).map(({ mc_percent: percent }) => percent), [1])
  t.match(b.heard.at(-2)?.text, /\n {4}"print"/, 'printed as the family does')
  t.equal((await b.status()).mc_percent, 2, 'pushall gives the full frame nearest')
  t.hasStrict(await b.ask('print', 'pause'), { result: 'success' }, 'commands are answered')
  await b.live(10)
  await playback.done
  t.ok(b.heard.some(({ text }) => text === '{"half":'))
  t.equal((await b.status()).gcode_state, 'IDLE', 'afterwards it is itself again')
})

t.test('stopping the printer stops the recording', async t => {
  const { printer, clock, heard } = await bench(t, { model: 'P1S' })
  const playback = printer.play([{ t: 5000, payload: 'late' }])
  await printer.stop()
  await playback.done
  clock.advance(10_000)
  t.notOk(heard.some(({ text }) => text === 'late'))
})
