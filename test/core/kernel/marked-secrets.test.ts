import t from 'tap'
import { Type, type TSchema } from 'typebox'
import { configurationSchema, definePlugin, Secret, secretsIn, withoutSecrets } from '../../../core/index.js'
import { knownOptions } from '../../../presets/cli/known-options.js'

const pager = definePlugin({
  name: 'pager',
  version: '1.0.0',
  kernel: '^2.0.0',
  options: Type.Object({
    server: Type.String(),
    key: Secret('Of the account'),
    headers: Type.Optional(Type.Record(Type.String(), Secret('Of the request'))),
    people: Type.Optional(Type.Array(Type.Object({ name: Type.String(), pin: Type.String({ secret: true }) }))),
    also: Type.Optional(Type.Union([
      Type.Object({ kind: Type.Literal('a'), value: Type.String() }),
      Type.Object({ kind: Type.Literal('b'), value: Type.String({ secret: true }) })
    ]))
  })
})
const schema = configurationSchema([pager])
const withPager = (pager: object) => ({ plugins: { pager } })
const backedUp = (options: object) => withoutSecrets(schema, withPager(options))

t.test('what is declared secret is left out, wherever it stands, and named', async t => {
  const { config, left } = backedUp({
    server: 'https://pager.example/api/v1',
    key: 'kkkk',
    headers: { authorization: 'Bearer x', other: { env: 'OTHER' } },
    people: [{ name: 'Anna', pin: '1234' }],
    also: { kind: 'b', value: 'shh' }
  })
  t.same(config, withPager({
    server: 'https://pager.example/api/v1', headers: { other: { env: 'OTHER' } }, people: [{ name: 'Anna' }], also: { kind: 'b' }
  }), 'the name of a variable is no secret')
  t.same(left, ['plugins.pager.key', 'plugins.pager.headers.authorization', 'plugins.pager.people[0].pin', 'plugins.pager.also.value'])
  t.same(backedUp({ key: { file: '/root/keys/pager' }, also: { kind: 'a', value: 'open' } }).config,
    withPager({ also: { kind: 'a', value: 'open' } }), 'where a secret lies is told to nobody')
})

t.test('an address loses its password, and goes altogether where its path or query may let somebody in', async t => {
  const serverOf = (server: string) => (backedUp({ server }).config as ReturnType<typeof withPager>).plugins.pager
  for (const [given, shown] of [
    ['mqtt://me:words@broker:1883', 'mqtt://me@broker:1883'],
    ['http://host:7912/api/v1', 'http://host:7912/api/v1'],
    ['https://host/hook/8f3a0c2d9b1e', undefined],
    ['https://host/hook?token=abc', undefined],
    ['just words', 'just words']
  ] as const) t.same(serverOf(given), shown === undefined ? {} : { server: shown }, given)
})

t.test('texts of plugins that nobody knows here are left out', async t => {
  const { config, left } = withoutSecrets(schema, { plugins: { stranger: { phrase: 'sesame', count: 3 }, none: false } })
  t.same(config, { plugins: { stranger: { count: 3 }, none: false } })
  t.same(left, ['plugins.stranger.phrase'])
})

t.test('secrets and passwords in addresses are found for masking, also as they are sent', async t => {
  const found = secretsIn(schema, { api: { token: 'a-long-token' }, ...withPager({ key: 'kkkk', server: 'mqtt://me:a%20b@x' }) })
  t.same(found.sort(), ['a b', 'a%20b', 'a-long-token', 'kkkk'])
})

/** What an option is called that keeps something from others. */
const SOUNDS_SECRET = /pass(word|phrase)|token|secret|api_?key|(access)?code$|webhook|authorization|credential/i
/** Options that sound like secrets and are none. */
const HARMLESS = new Set([
  'plugins.fleet.credentials' // a path
])

interface Part {
  readonly secret?: boolean
  readonly properties?: Record<string, Part>
  readonly patternProperties?: Record<string, Part>
  readonly anyOf?: Part[]
  readonly items?: Part
}

function optionsIn (part: Part, path: string, inSecret = false): [path: string, secret: boolean][] {
  const secret = inSecret || part.secret === true
  const inner = [...part.anyOf ?? [], ...part.items ? [part.items] : [], ...Object.values(part.patternProperties ?? {})]
  return [
    [path, secret],
    ...Object.entries(part.properties ?? {}).flatMap(([name, one]) => optionsIn(one, path === '' ? name : `${path}.${name}`, secret)),
    ...inner.flatMap(one => optionsIn(one, path, secret))
  ]
}

t.test('every option that sounds like a secret is declared as one', async t => {
  const all = optionsIn(knownOptions() as TSchema as Part, '')
  const secret = new Set(all.filter(([, is]) => is).map(([path]) => path))
  for (const path of ['api.token', 'printers.accessCode', 'plugins.notify.targets.user', 'plugins.notify.targets.topic',
    'plugins.notify.targets.url', 'plugins.notify.targets.headers', 'plugins.spools.spoolman.token', 'plugins.relay.clients.code',
    'plugins.people.openid.clientSecret', 'plugins.homeassistant.password']) t.ok(secret.has(path), path)
  const undeclared = new Set(all.map(([path]) => path)
    .filter(path => SOUNDS_SECRET.test(path.split('.').at(-1) ?? '') && !secret.has(path) && !HARMLESS.has(path)))
  t.same([...undeclared], [])
})
