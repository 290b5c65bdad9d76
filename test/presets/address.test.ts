import t from 'tap'
import { loadConfig, type Kernel } from '../../core/index.js'
import { baseAddress, portNote } from '../../presets/address.js'
import { isManaged } from '../../presets/managed.js'

const kernelOf = (apiPort: number, config: object) => ({ apiPort, config: loadConfig(config) }) as Kernel

t.test('the address that is printed is one that answers on this machine', async t => {
  const at = (host: string) => baseAddress(kernelOf(5000, { api: { host } }))
  for (const host of ['0.0.0.0', '::', '127.0.0.1', 'localhost']) t.equal(at(host), 'http://localhost:5000', host)
  t.equal(at('192.0.2.7'), 'http://192.0.2.7:5000', 'nobody listens on localhost then')
  t.equal(at('::1'), 'http://[::1]:5000')
  t.equal(at('fd00::7'), 'http://[fd00::7]:5000')
})

t.test('another port than the expected one is said', async t => {
  t.equal(portNote(kernelOf(8080, { ports: { preferred: 8080 } })), undefined)
  t.equal(portNote(kernelOf(49_152, {})), undefined)
  t.equal(portNote(kernelOf(49_152, { ports: { preferred: 8080 } })), 'Port 8080 is taken: port 49152 is used instead.')
  t.equal(portNote(kernelOf(49_153, {})), 'Port 49152 is taken: port 49153 is used instead.', 'also without a preferred one')
})

t.test('who has started the process', async t => {
  const shell = { env: {}, terminal: false, parent: 4711, container: false }
  t.equal(isManaged(shell), false)
  t.equal(isManaged({ ...shell, env: { INVOCATION_ID: 'a' } }), true)
  t.equal(isManaged({ ...shell, env: { NOTIFY_SOCKET: '/run/systemd/notify' } }), true)
  t.equal(isManaged({ ...shell, env: { INVOCATION_ID: '' } }), false)
  t.equal(isManaged({ ...shell, env: { INVOCATION_ID: 'a' }, terminal: true }), false, 'a terminal of a desktop')
  t.equal(isManaged({ ...shell, container: true, parent: 0 }), true)
  t.equal(isManaged({ ...shell, container: true, parent: 1 }), true, 'below a small init')
  t.equal(isManaged({ ...shell, container: true }), false, 'a shell in a container')
})
