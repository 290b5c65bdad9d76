import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

/** Sockets and a clock of the test's own. */
async function begin () {
  const waiting = new Map<number, () => void>()
  let count = 0
  const sockets: { onmessage?: (message: object) => void, close (): void }[] = []
  class Socket { constructor () { sockets.push(this) } onmessage?: (message: object) => void; close () {} }
  class Source { static isTypeSupported = () => true; readyState = 'closed' }
  const world = globalThis as { MediaSource?: unknown }
  world.MediaSource = Source
  const { play } = await pageModules(['camera/page/player.js'], {
    globals: {
      WebSocket: Socket,
      URL: Object.assign(class extends URL {}, { createObjectURL: () => 'blob:1', revokeObjectURL () {} }),
      document: { baseURI: 'http://localhost/', hidden: false },
      setInterval: () => 0,
      clearInterval () {},
      setTimeout: (then: () => void) => { waiting.set(++count, then); return count },
      clearTimeout: (id: number) => waiting.delete(id)
    }
  })
  delete world.MediaSource
  const video = { removeAttribute () {}, load () {}, buffered: [], paused: false }
  const playing = play(video, 'stream.mp4', () => {}, new AbortController().signal) as Promise<never>
  playing.catch(() => {})
  return { playing, sockets, waiting }
}

t.test('a video whose connection was cut without a word ends, so that its last picture is not taken for live', async t => {
  const { playing, sockets, waiting } = await begin()
  const [first] = [...waiting.keys()]
  sockets[0]!.onmessage?.({ data: new ArrayBuffer(1) })
  t.notOk(waiting.has(first!), 'each picture is given time anew')
  t.equal(waiting.size, 1)
  for (const then of waiting.values()) then()
  await t.rejects(playing, { name: 'AbortError', message: /No picture/ })
})
