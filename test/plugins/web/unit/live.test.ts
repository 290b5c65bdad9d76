import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

interface FakeSocket { onopen?: () => void, onmessage?: (message: { data: string }) => void, isClosed: boolean }

/** A service whose answers the test gives, and a clock of its own. */
async function begin () {
  const sockets: FakeSocket[] = []
  const waiting: ((doc: object) => void)[] = []
  const ticks: (() => void)[] = []
  const clock = { now: 0 }
  class Socket { isClosed = false; constructor () { sockets.push(this) } close () { this.isClosed = true } }
  const { follow } = await pageModules(['web/page/live.js'], {
    packages: { shell: { t: String, shell: {} } },
    globals: {
      document: { baseURI: 'http://localhost/', hidden: false },
      WebSocket: Socket,
      Date: { now: () => clock.now },
      setInterval: (tick: () => void) => ticks.push(tick),
      setTimeout: () => 0,
      clearTimeout () {},
      fetch: () => new Promise(resolve => waiting.push(doc => resolve(new Response(JSON.stringify(doc), {
        headers: { 'content-type': 'application/json' }
      }))))
    }
  })
  const shown: string[] = []
  const links: string[] = []
  follow('x1c', {
    onState: ({ state }: { state: string }) => shown.push(state),
    onSession () {},
    onAlert () {},
    onLink: (how: string) => links.push(how)
  })
  return { sockets, waiting, ticks, clock, shown, links }
}

t.test('an answer that was asked for before the last message does not replace it', async t => {
  const { sockets, waiting, shown } = await begin()
  sockets[0]?.onopen?.()
  sockets[0]?.onmessage?.({ data: '{"topic":"state","data":{"state":"RUNNING"}}' })
  waiting[0]?.({ state: 'IDLE' })
  await new Promise(setImmediate)
  t.same(shown, ['RUNNING'])
})

t.test('a connection that says nothing at all is not called live', async t => {
  const { sockets, ticks, clock, links } = await begin()
  sockets[0]?.onopen?.()
  clock.now = 40_000
  sockets[0]?.onmessage?.({ data: '{"topic":"heartbeat"}' })
  clock.now = 80_000
  ticks[0]?.()
  t.equal(sockets[0]?.isClosed, false)
  clock.now = 90_000
  ticks[0]?.()
  t.equal(sockets[0]?.isClosed, true)
  t.same(links, ['live'], 'and what is asked for now says what it is')
})
