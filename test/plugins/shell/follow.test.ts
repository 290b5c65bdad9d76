import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'

interface FakeSocket {
  url: URL
  onopen?: () => void
  onmessage?: (message: { data: string }) => void
}

/** Sockets, timers and a page of the test's own. */
async function begin () {
  const sockets: FakeSocket[] = []
  const timers = new Map<number, { then: () => void, ms: number }>()
  let count = 0
  let onVisibility = () => {}
  const document = {
    hidden: false,
    baseURI: 'http://localhost/',
    querySelector: () => null,
    addEventListener: (_: string, listener: () => void) => { onVisibility = listener },
    removeEventListener () {}
  }
  class Socket { constructor (readonly url: URL) { sockets.push(this) } close () {} }
  const { follow } = await pageModules(['shell/page/follow.js'], {
    globals: {
      document,
      WebSocket: Socket,
      setTimeout: (then: () => void, ms: number) => { timers.set(++count, { then, ms }); return count },
      clearTimeout: (id: number) => timers.delete(id)
    }
  })
  const said: string[] = []
  follow({
    topics: ['spools'],
    onMessage: ({ topic }: { topic: string }) => said.push(topic),
    onLink: (isOpen: boolean) => said.push(isOpen ? 'open' : 'closed'),
    onMissed: () => said.push('missed')
  })
  const run = (least: number) => {
    for (const [id, { then, ms }] of [...timers]) if (ms >= least) { timers.delete(id); then() }
  }
  const show = (isShown: boolean) => { document.hidden = !isShown; onVisibility() }
  return { sockets, said, run, show }
}

t.test('what was missed behind another tab is read again', async t => {
  const { sockets, said, show } = await begin()
  sockets[0]?.onopen?.()
  t.same(said, ['open'], 'the page reads once when it is opened')
  show(false)
  show(true)
  t.equal(sockets.length, 2)
  sockets[1]?.onopen?.()
  t.same(said, ['open', 'open', 'missed'])
})

t.test('a connection that says nothing at all is replaced', async t => {
  const { sockets, said, run } = await begin()
  sockets[0]?.onopen?.()
  t.equal(sockets[0]?.url.searchParams.get('heartbeat'), 'true')
  sockets[0]?.onmessage?.({ data: '{"topic":"heartbeat"}' })
  sockets[0]?.onmessage?.({ data: '{"topic":"spools"}' })
  t.same(said, ['open', 'spools'], 'a sign of life is no message')
  run(45_000)
  t.equal(sockets.length, 2)
  sockets[1]?.onopen?.()
  t.same(said, ['open', 'spools', 'closed', 'open', 'missed'])
})
