import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { httpWith } from '../../../plugins/http/index.js'
import socketio, { defineSocketTopic } from '../../../plugins/socketio/index.js'
import { eventually } from '../../helpers/eventually.js'
import { connect, listen, stuckClient } from './helpers.js'

const PAD = 'x'.repeat(500_000)

t.test('clients that take nothing hold up nobody, and no queue grows for them', async t => {
  let count = 0
  let notify = () => {}
  const large = defineSocketTopic({
    event: 'large',
    current: () => ({ count, PAD }),
    watch: (_kernel, touch) => {
      notify = touch
      return () => {}
    }
  })
  const source = definePlugin({ name: 'source', version: '1.0.0', kernel: '^2.0.0', contributes: { socketTopics: [large] } })
  const preset = definePreset({ name: 'test', plugins: [httpWith(), socketio, source] })
  const app = await listen(t, { models: [], preset })
  const quick = await connect(t, app, { transports: ['websocket'] })
  const stuck = [await stuckClient(t, app), await stuckClient(t, app), await stuckClient(t, app)]
  let got = 0
  quick.on('large', (body: { count: number }) => { got = body.count })
  for (count = 1; count <= 80; count++) {
    notify()
    await eventually(() => got === count)
  }
  t.equal(got, 80, 'every one, one after the other')
  const waiting = app.kernel.services.socketio.waiting()
  t.same(waiting.toSorted(), [0, 1, 1, 1], 'one under way to each that is stuck')

  const [first] = stuck
  let text = ''
  first?.on('data', chunk => { text = (text + String(chunk)).slice(-PAD.length * 2) })
  first?.resume()
  await eventually(() => text.includes('"count":81'), 10_000)
  t.notOk(text.includes('"count":79'), 'after what was under way it got the newest, none of those between')

  await app.kernel.close()
  t.equal(app.kernel.ready, false, 'the service does not wait for those that take nothing')
})
