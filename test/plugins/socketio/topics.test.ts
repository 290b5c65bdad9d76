// A plugin of the configuration whose events do not work: the others go on.
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { connect, listen, updateOf } from './helpers.js'
import { testFolder } from '../../helpers/folder.js'

const ODD = `
const boom = () => { throw new Error('boom') }
export default {
  name: 'odd', version: '1.0.0', kernel: '^2.0.0',
  contributes: {
    socketTopics: [
      { event: 'unwatchable', current: () => ({}), watch: boom },
      { event: 'speechless', current: boom, watch: (kernel, touch) => kernel.events.on('alert', touch) }
    ]
  }
}
`

t.test('what is wrong with a topic is its plugin\'s, and the others go on', async t => {
  const dataDir = testFolder(t, { 'odd.mjs': ODD })
  const app = await listen(t, {
    config: { dataDir, plugins: { './odd.mjs': {} } }, dependencies: { configFile: join(dataDir, 'config.json') }
  })
  const faultOf = (part: string) => app.kernel.pluginFaults.faults('odd').find(fault => fault.part === part)
  const socket = await connect(t, app, { transports: ['websocket'] })
  app.kernel.events.emit('alert', { type: 'x', printer: 'x', timestamp: '', severity: 'low', payload: {} })
  await eventually(() => faultOf("socket topic 'speechless'") !== undefined)
  t.match(faultOf("socket topic 'unwatchable'"), { message: 'boom' })
  t.match(faultOf("socket topic 'speechless'"), { message: 'boom' })
  t.match(await updateOf(app, socket), { printer: { _recent_update: true } })
})
