import t from 'tap'
import { loadConfig } from '../../../core/kernel/config.js'
import { configFor } from '../../../presets/standalone/main.js'

const printers = ['a', 'b'].map(name => ({ name, host: '192.0.2.1', serial: `S${name}`, accessCode: '12345678' }))
const read = (tree: object, env: Record<string, string> = {}) => configFor(loadConfig(tree, env), {}, env)

t.test('loopback and port 5000 unless the command line or the environment says otherwise', async t => {
  t.match(read({}), { api: { host: '127.0.0.1' }, ports: { preferred: 5000 } })
  const daemons = { api: { host: '0.0.0.0' }, ports: { preferred: 50_000 } }
  t.match(read(daemons), { api: { host: '127.0.0.1' }, ports: { preferred: 5000 } }, 'what the daemon has does not count')
  t.match(read({}, { PRN_API_HOST: '192.0.2.7', PRN_API_PORT: '5050' }), { api: { host: '192.0.2.7' }, ports: { preferred: 5050 } })
  t.match(read({}, { PRN_API_HOST: ' ', PRN_API_PORT: '' }), { api: { host: '127.0.0.1' }, ports: { preferred: 5000 } })
  const given = configFor(loadConfig({}), { host: 'localhost', port: 5001 }, { PRN_API_HOST: '192.0.2.7' })
  t.match(given, { api: { host: '127.0.0.1' }, ports: { preferred: 5001 } })
})

t.test('only a port that somebody asked for is insisted on', async t => {
  t.match(read({ ports: { strict: true } }), { ports: { preferred: 5000, strict: false } })
  t.match(read({ ports: { strict: true } }, { PRN_API_PORT: '5050' }), { ports: { preferred: 5050, strict: true } })
  t.equal(read({}, { PRN_API_PORT: '5050' }).ports.strict, undefined)
})

t.test('the first printer, or the one that is named', async t => {
  t.same(read({ printers }).printers.map(({ name }) => name), ['a'])
  t.same(read({ printers }, { PRN_API_PRINTER: 'B' }).printers.map(({ name }) => name), ['b'])
  t.same(read({ printers, defaultPrinter: 'b' }).printers.map(({ name }) => name), ['b'])
  t.same(read({}).printers, [])
  t.throws(() => read({ printers }, { PRN_API_PRINTER: 'c' }), { code: 'PRN_ERR_BAD_INPUT', message: /configured: a, b/ })
})
