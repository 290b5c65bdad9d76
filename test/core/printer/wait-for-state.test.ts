import t from 'tap'
import { createEmitter } from '../../../core/util/emitter.js'
import type { PrinterState } from '../../../core/printer/state/types.js'
import type { PrinterSession, SessionEvents } from '../../../core/printer/types.js'
import { waitForState } from '../../../core/printer/wait-for-state.js'

const stateAt = (receivedAt: number) => ({ receivedAt }) as PrinterState

function fake (first?: PrinterState) {
  const events = createEmitter<SessionEvents>()
  const controller = new AbortController()
  let state = first
  const session = { events, signal: controller.signal, get state () { return state } } as unknown as PrinterSession
  return {
    session,
    end: () => controller.abort(),
    report (next: PrinterState) {
      const before = state
      state = next
      events.emit('state', next, before)
    }
  }
}

t.test('at once when it holds already', async t => {
  t.equal(await waitForState(fake(stateAt(5)).session, ({ receivedAt }) => receivedAt === 5, 0), true)
})

t.test('as soon as a report makes it so', async t => {
  const { session, report } = fake()
  const waiting = waitForState(session, ({ receivedAt }) => receivedAt === 2, 5_000)
  report(stateAt(1))
  report(stateAt(2))
  report(stateAt(3))
  t.equal(await waiting, true)
})

t.test('false after a while, and when the session ends', async t => {
  t.equal(await waitForState(fake().session, () => true, 5), false)
  const { session, end } = fake(stateAt(1))
  const waiting = waitForState(session, () => false, 60_000)
  end()
  t.equal(await waiting, false)
})
