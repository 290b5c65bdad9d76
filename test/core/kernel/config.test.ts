import t from 'tap'
import { loadConfig, nameProblem } from '../../../core/kernel/config.js'

const PRINTER = { name: 'a1', host: '192.0.2.1', serial: '03000A000000001', accessCode: '12345678' }
const withPrinter = (fields: object) => ({ printers: [{ ...PRINTER, ...fields }] })

/** The message of a configuration that is refused. */
function refusal (config: unknown, env = {}): string {
  try {
    loadConfig(config, env)
  } catch (error) {
    return (error as { code: string }).code === 'PRN_ERR_CONFIG' ? (error as Error).message : `another error: ${String(error)}`
  }
  return 'nothing was refused'
}

t.test('nothing at all is a good configuration', async t => {
  const expected = {
    printers: [],
    ports: { start: 49_152, end: 49_351 },
    plugins: {},
    api: { host: '0.0.0.0', allowedHosts: [], corsOrigins: [], trustProxy: [], trustLan: false },
    log: {}
  }
  t.same(loadConfig(undefined), expected)
  t.same(loadConfig({}), expected)
})

t.test('every key, set, comes back as it was written', async t => {
  const whole = {
    version: 1,
    printers: [{
      ...PRINTER,
      accessCode: { env: 'CODE' },
      model: 'X1C',
      ports: { mqtt: 1, ftps: 2, camera: 3, rtsps: 65_535 },
      tls: { mode: 'ca', ca: '/ca.pem', fingerprint: 'AB' }
    }, { ...PRINTER, name: 'p1s', serial: 'S2', accessCode: { file: '/code' } }, { name: 'x', host: 'h', serial: 's' }],
    defaultPrinter: 'a1',
    ports: { preferred: 8080, start: 50_000, end: 50_000 },
    plugins: { mcp: { readOnly: true }, print: false },
    api: {
      host: '127.0.0.1',
      token: '12345678',
      allowedHosts: ['a'],
      corsOrigins: ['https://b'],
      trustProxy: ['127.0.0.1', 'fd00::/8'],
      trustLan: true
    },
    log: { file: false },
    dataDir: '/data',
    ffmpeg: '/ffmpeg'
  }
  t.same(loadConfig(whole), whole)
  t.equal(loadConfig({ log: { file: '/x.log' } }).log.file, '/x.log')
})

t.test('the result is frozen all the way down, what was given stays as it was', async t => {
  const given = withPrinter({})
  const config = loadConfig(given)
  t.throws(() => { (config.printers as unknown[]).push(PRINTER) }, TypeError)
  t.throws(() => { (config.api as { host: string }).host = 'x' }, TypeError)
  t.same(given, withPrinter({}))
})

t.test('a value of the wrong kind is refused with the path of its key', async t => {
  for (const [config, message] of [
    [[], 'it must be object'],
    ['text', 'it must be object'],
    [{ version: 2 }, 'version must be 1'],
    [{ printers: {} }, 'printers must be array'],
    [{ printers: [1] }, 'printers[0] must be object'],
    [{ printers: [{ name: 'a', host: 'b' }] }, "printers[0]: 'serial' is required"],
    [withPrinter({ name: 5 }), 'printers[0].name must be string'],
    [withPrinter({ host: '' }), 'printers[0].host must NOT have fewer than 1 characters'],
    [withPrinter({ serial: 'x'.repeat(33) }), 'printers[0].serial must NOT have more than 32 characters'],
    [withPrinter({ accessCode: 12345678 }), 'printers[0].accessCode must be a text in quotes, { "env": NAME } or { "file": PATH }'],
    [withPrinter({ accessCode: { env: 'A', file: 'B' } }), 'printers[0].accessCode must be a text in quotes, { "env": NAME } or { "file": PATH }'],
    [withPrinter({ ports: { mqtt: 70_000 } }), 'printers[0].ports.mqtt must be <= 65535'],
    [withPrinter({ ports: { ftps: '990' } }), 'printers[0].ports.ftps must be integer'],
    [withPrinter({ tls: { mode: 'off' } }), 'printers[0].tls.mode must be one of ca, pin, insecure'],
    [{ defaultPrinter: '' }, 'defaultPrinter must NOT have fewer than 1 characters'],
    [{ ports: 8080 }, 'ports must be object'],
    [{ ports: { preferred: 0 } }, 'ports.preferred must be >= 1'],
    [{ ports: { start: 300, end: 200 } }, 'ports.end must not be below ports.start'],
    [{ plugins: { camera: true } }, 'plugins.camera must be an object with its options, or false'],
    [{ plugins: { './x.js': [] } }, "plugins['./x.js'] must be an object with its options, or false"],
    [{ api: { token: 'short' } }, 'api.token must NOT have fewer than 8 characters'],
    [{ api: { allowedHosts: 'a' } }, 'api.allowedHosts must be array'],
    [{ api: { corsOrigins: [1] } }, 'api.corsOrigins[0] must be string'],
    [{ log: { file: true } }, 'log.file must be a path, or false'],
    [{ dataDir: 1 }, 'dataDir must be string'],
    [{ ffmpeg: [] }, 'ffmpeg must be string']
  ] as const) t.equal(refusal(config), message)
})

t.test('an unknown key is refused with its path and the nearest known one', async t => {
  for (const [config, message] of [
    [{ printer: [] }, "unknown key 'printer'; did you mean 'printers'?"],
    [withPrinter({ acessCode: 'x' }), "printers[0]: unknown key 'acessCode'; did you mean 'accessCode'?"],
    [withPrinter({ ports: { mqqt: 1 } }), "printers[0].ports: unknown key 'mqqt'; did you mean 'mqtt'?"],
    [withPrinter({ tls: { fingerPrint: 'x' } }), "printers[0].tls: unknown key 'fingerPrint'; did you mean 'fingerprint'?"],
    [{ ports: { begin: 1 } }, "ports: unknown key 'begin'; known keys: preferred, strict, start, end"],
    [{ api: { hosts: 'x' } }, "api: unknown key 'hosts'; did you mean 'host'?"],
    [{ log: { path: 'x' } }, "log: unknown key 'path'; known keys: file"]
  ] as const) t.equal(refusal(config), message)
})

t.test('names of printers', async t => {
  for (const good of ['a', 'Workshop 3', 'Drucker Müller', '打印机', 'x'.repeat(64), '_a.b-c']) t.equal(nameProblem(good), undefined, good)
  for (const bad of ['a/b', 'a\\b', 'a:b', 'a?b', 'a#b', 'a\nb', 'a\u007F']) {
    t.equal(nameProblem(bad), 'must not contain control characters or / \\ : ? #', JSON.stringify(bad))
  }
  t.equal(nameProblem(' a'), 'must not begin or end with a space')
  t.equal(nameProblem('x'.repeat(65)), 'must have 1 to 64 characters')
  t.equal(refusal(withPrinter({ name: 'a/b' })), 'printers[0].name must not contain control characters or / \\ : ? #')
})

t.test('names are unique without regard to case', async t => {
  t.equal(refusal({ printers: [PRINTER, { ...PRINTER, name: 'b' }, { ...PRINTER, name: 'A1' }] }),
    "printers[2].name 'A1' is taken by printers[0]")
})

t.test('the environment lies over the file', async t => {
  const file = { api: { host: 'file', corsOrigins: ['kept'] }, ports: { preferred: 1 }, defaultPrinter: 'file', dataDir: 'file' }
  const config = loadConfig(file, {
    PRN_API_HOST: '127.0.0.1',
    PRN_API_TOKEN: 'a long token',
    PRN_API_PORT: '8080',
    PRN_API_PRINTER: 'env',
    PRN_PORT_POOL_START: ' 50000 ',
    PRN_PORT_POOL_END: '50010',
    PRN_DATA_DIR: '/env',
    PRN_FFMPEG: '/ffmpeg',
    PRN_ALLOWED_HOSTS: 'a.lan, b.lan,,'
  })
  t.match(config, {
    api: { host: '127.0.0.1', token: 'a long token', allowedHosts: ['a.lan', 'b.lan'], corsOrigins: ['kept'] },
    ports: { preferred: 8080, start: 50_000, end: 50_010 },
    defaultPrinter: 'env',
    dataDir: '/env',
    ffmpeg: '/ffmpeg'
  })
  t.equal(file.api.host, 'file')
})

t.test('an empty variable counts as none', async t => {
  const warnings: string[] = []
  const env = { PRN_API_HOST: '', PRN_API_PORT: '', PRN_PORT_POOL_START: ' ', PRN_ALLOWED_HOSTS: '', PRN_DATA_DIR: '' }
  const config = loadConfig({ api: { allowedHosts: ['kept'] } }, env, warning => warnings.push(warning))
  t.match(config, { api: { host: '0.0.0.0', allowedHosts: ['kept'] }, ports: { start: 49_152 } })
  t.same(warnings, [])
})

t.test('a port that is none is warned about and ignored', async t => {
  for (const PRN_API_PORT of ['http', '0', '65536', '-1', '80.5', '1e3', '999999']) {
    const warnings: string[] = []
    const { ports } = loadConfig({ ports: { preferred: 9000 } }, { PRN_API_PORT }, text => warnings.push(text))
    t.equal(ports.preferred, 9000)
    t.same(warnings, [`PRN_API_PORT='${PRN_API_PORT}' is no port from 1 to 65535; it is ignored`])
  }
})

t.test('a range of ports that is none is warned about, and the default holds', async t => {
  for (const [first, last] of [
    ['x', '50000'], ['50000', 'x'], ['50001', '50000'], ['0', '5'], [undefined, '100'], ['60000', undefined]
  ]) {
    const warnings: string[] = []
    const env = { PRN_PORT_POOL_START: first, PRN_PORT_POOL_END: last }
    const { start, end } = loadConfig({}, env, text => warnings.push(text)).ports
    t.same([start, end], [49_152, 49_351], `${first} to ${last}`)
    t.equal(warnings.length, 1)
    t.match(warnings[0], /PRN_PORT_POOL_START=.* the default 49152 to 49351 is used$/)
  }
})

t.test('one end of the range may come from the file', async t => {
  const { start, end } = loadConfig({ ports: { start: 40_000, end: 40_009 } }, { PRN_PORT_POOL_END: '40020' }).ports
  t.same([start, end], [40_000, 40_020])
})

t.test('a bad value in the environment is told from one in the file', async t => {
  t.equal(refusal({}, { PRN_API_TOKEN: 'short' }),
    'api.token must NOT have fewer than 8 characters (it comes from PRN_API_TOKEN)')
  t.equal(refusal({ api: 'none' }, { PRN_API_HOST: 'x', PRN_API_PORT: '1' }), 'api must be object')
  t.equal(refusal({ ports: [] }, { PRN_API_PORT: '1' }), 'ports must be object')
})

t.test('whether the preferred port is insisted on', async t => {
  const warnings: string[] = []
  const strict = (PRN_PORT_STRICT: string, file: object = {}) =>
    loadConfig(file, { PRN_PORT_STRICT }, text => warnings.push(text)).ports.strict
  t.same(['1', 'true', '0', 'false', ''].map(text => strict(text)), [true, true, false, false, undefined])
  t.equal(strict('0', { ports: { strict: true } }), false, 'the environment wins')
  t.same(warnings, [])
  t.equal(strict('maybe'), undefined)
  t.match(warnings, [/PRN_PORT_STRICT='maybe' is neither 0 nor 1/])
})
