import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import type { CameraTaps } from '../../../../plugins/camera/index.js'
import { createRecentShots } from '../../../../plugins/recording/recent-shots.js'

t.test('many cameras share one bound, and each keeps its newest pictures', t => {
  const taps = new Map<string, Partial<CameraTaps>>()
  const recent = createRecentShots({
    camera: {
      protocol: () => 'tcp_tls',
      tap (session, tap) {
        taps.set(session.name, tap)
        return () => {}
      }
    },
    isWanted: () => true,
    onShot: () => {},
    now: () => 1_000,
    spanMs: 10_000,
    mostBytes: 1_000
  })
  t.teardown(recent.close)
  const sessions = Array.from({ length: 10 }, (_, at) => ({ name: `p${at}` }) as PrinterSession)
  for (const session of sessions) recent.follow(session)
  const show = (session: PrinterSession, number: number, bytes: number) => taps.get(session.name)?.onFrame?.({
    seq: number, jpeg: Buffer.alloc(bytes), width: 1, height: 1, capturedAt: number
  })
  const [first] = sessions
  for (let number = 0; number < 20; number++) show(first as PrinterSession, number, 50)
  t.equal(recent.last(first as PrinterSession).length, 20, 'one alone may use it all')
  for (let number = 20; number < 60; number++) for (const session of sessions) show(session, number, 50)
  const held = sessions.map(session => recent.last(session))
  const total = held.flat().reduce((sum, { bytes }) => sum + bytes, 0)
  t.ok(total <= 1_000, `${total} bytes in all`)
  for (const shots of held) {
    t.equal(shots.at(-1)?.at, 59, 'the newest of each is there')
    t.ok(shots.length >= 2, `${shots.length} pictures`)
  }
  for (const session of sessions) show(session, 60, 5_000)
  for (const session of sessions) t.equal(recent.last(session).at(-1)?.at, 60, 'also one that is too large for the bound')
  t.end()
})
