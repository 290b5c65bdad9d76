import t from 'tap'
import type { Command, CommandReply, PrinterSession } from '../../../../core/index.js'
import { createJudge, dryAndWatch } from '../../../../plugins/filament/drying.js'

const COMMAND: Command = { section: 'print', command: 'ams_filament_drying' }

const verdicts = (before: string, ...states: readonly string[]) => states.map(createJudge(before))

t.test('what a unit shows after the command', async t => {
  t.strictSame(verdicts('OFF', 'OFF', 'CHECKING', 'DRYING'), [undefined, undefined, 'drying'], 'a report may be late')
  t.strictSame(verdicts('OFF', 'CHECKING', 'OFF'), [undefined, 'failed'], 'it fell back')
  t.strictSame(verdicts('OFF', 'OFF', 'OFF'), [undefined, undefined], 'nothing yet')
  t.strictSame(verdicts('OFF', 'ERROR'), ['failed'])
  t.strictSame(verdicts('COOLING', 'COOLING', 'CHECKING', 'DRYING'), [undefined, undefined, 'drying'])
  t.strictSame(verdicts('DRYING', 'DRYING', 'DRYING'), [undefined, undefined], 'that may be the old cycle')
  t.strictSame(verdicts('DRYING', 'CHECKING', 'DRYING'), [undefined, 'drying'])
  t.strictSame(verdicts('DRYING', 'DRYING', 'OFF'), [undefined, 'failed'])
})

/** A session whose unit shows one state after the other, each time it is looked at. */
function play (states: readonly string[], answer: () => Promise<CommandReply | undefined>) {
  const left = [...states]
  const sent: Command[] = []
  const controller = new AbortController()
  let looks = 0
  const session = {
    name: 'bench',
    signal: controller.signal,
    get state () {
      looks++
      const state = left.length > 1 ? left.shift() : left[0]
      return { ams: { units: [{ id: 128, dryer: { state } }] } }
    },
    send: (command: Command) => { sent.push(command); return answer() }
  } as unknown as PrinterSession
  return { session, sent, controller, looks: () => looks }
}

const never = new AbortController().signal
const said = (accepted: boolean) => async () => ({ accepted }) as CommandReply
const TICK_MS = 4

t.test('it dries', async t => {
  const { session, sent } = play(['OFF', 'OFF', 'CHECKING', 'DRYING'], said(true))
  t.strictSame(await dryAndWatch(session, 128, COMMAND, never, TICK_MS), { kind: 'drying', state: 'DRYING' })
  t.equal(sent.length, 1)
})

t.test('consent alone is no success', async t => {
  const { session } = play(['OFF'], said(true))
  t.strictSame(await dryAndWatch(session, 128, COMMAND, never, TICK_MS), { kind: 'failed', state: 'OFF' })
})

t.test('neither is silence', async t => {
  const { session } = play(['OFF'], async () => undefined)
  t.strictSame(await dryAndWatch(session, 128, COMMAND, never, TICK_MS), { kind: 'failed', state: 'OFF' })
})

t.test('an error ends the watch early', async t => {
  const { session, looks } = play(['OFF', 'ERROR'], said(true))
  t.strictSame(await dryAndWatch(session, 128, COMMAND, never, 400), { kind: 'failed', state: 'ERROR' })
  t.equal(looks(), 2, 'nobody looks on')
})

t.test('it dried already, and shows nothing else', async t => {
  const { session } = play(['DRYING'], said(true))
  t.strictSame(await dryAndWatch(session, 128, COMMAND, never, TICK_MS), { kind: 'unchanged', state: 'DRYING' })
})

t.test('a refusal ends the watch at once, whenever it comes', async t => {
  const { session } = play(['OFF'], said(false))
  t.match(await dryAndWatch(session, 128, COMMAND, never, 5_000), { kind: 'refused', reply: { accepted: false } })
  const late = play(['OFF'], () => new Promise(resolve => setTimeout(resolve, 30, { accepted: false } as CommandReply)))
  t.match(await dryAndWatch(late.session, 128, COMMAND, never, 20), { kind: 'refused' })
})

t.test('what cannot be sent is told', async t => {
  const { session } = play(['OFF'], async () => { throw new Error('no wire') })
  await t.rejects(dryAndWatch(session, 128, COMMAND, never, 5_000), /no wire/)
})

t.test('a unit that goes away, a session that ends, a caller that leaves', async t => {
  const { session } = play(['OFF'], said(true))
  t.strictSame(await dryAndWatch(session, 7, COMMAND, never, TICK_MS), { kind: 'failed', state: 'UNKNOWN' })
  const ended = play(['OFF'], said(true))
  setTimeout(() => ended.controller.abort(), 10)
  t.match(await dryAndWatch(ended.session, 128, COMMAND, never, 5_000), { kind: 'failed' })
  const caller = new AbortController()
  setTimeout(() => caller.abort(new Error('went away')), 10)
  await t.rejects(dryAndWatch(play(['OFF'], said(true)).session, 128, COMMAND, caller.signal, 5_000), /went away/)
})
