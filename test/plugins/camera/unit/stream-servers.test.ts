import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { StreamServers, type StreamServersOptions } from '../../../../plugins/camera/stream/stream-servers.js'
import type { StreamServer } from '../../../../plugins/camera/types.js'

/** Servers whose ports open when the test says. */
function scene () {
  const log = { child: () => log } as never
  const opened: (() => void)[] = []
  const closed: number[] = []
  const open: StreamServersOptions['open'] = async ({ onClosed }) => {
    const port = opened.length
    await new Promise<void>(resolve => { opened.push(resolve) })
    const close = async () => {
      onClosed()
      closed.push(port)
    }
    return { port, urlFor: () => '', viewers: 0, touch () {}, close } satisfies StreamServer
  }
  const streamOf = () => ({ source: { protocol: 'rtsps', ready: async () => {} }, timeouts: { firstFrame: {} } }) as never
  const servers = new StreamServers({ streamOf, log, signal: new AbortController().signal, open })
  return { servers, opened, closed, session: () => ({ name: 'x1c' }) as PrinterSession }
}

t.test('a server whose printer goes while its port is opened does not stay', async t => {
  const { servers, opened, closed, session } = scene()
  const starting = servers.start(session())
  const stopping = servers.stop('x1c')
  opened[0]?.()
  t.equal(await stopping, true)
  await starting
  t.same(closed, [0])
  t.equal(servers.running.size, 0)
})

t.test('the next session of that name gets a server of its own', async t => {
  const { servers, opened, closed, session } = scene()
  const first = session()
  const before = [servers.start(first), servers.start(first)]
  const after = servers.start(session())
  t.equal(opened.length, 1, 'one session has one server')
  opened[0]?.()
  await Promise.all(before)
  await new Promise(resolve => setImmediate(resolve))
  opened[1]?.()
  t.equal((await after).port, 1)
  t.same(closed, [0])
  t.equal(servers.running.get('x1c')?.port, 1)
})
