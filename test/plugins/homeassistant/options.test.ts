import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { loginOf, type Options } from '../../../plugins/homeassistant/options.js'
import homeassistant from '../../../plugins/homeassistant/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'

const preset = featuresWith(homeassistant)

const withDefaults = (options: Partial<Options>): Options => ({
  discoveryPrefix: 'homeassistant', topicPrefix: 'prnd', readOnly: false, imageOnAlert: false, imageSeconds: 0, ...options
})

t.test('the address tells where the broker is and who we are', async t => {
  const folder = testFolder(t)
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, 'PEM')
  t.same(await loginOf(withDefaults({ broker: 'mqtt://10.0.0.5' })), { url: 'mqtt://10.0.0.5' })
  await writeFile(join(folder, 'password'), 'from a file\n')
  t.same(await loginOf(withDefaults({ broker: 'mqtt://me@here:1', password: { file: join(folder, 'password') } })),
    { url: 'mqtt://here:1', username: 'me', password: 'from a file' })
  t.same(await loginOf(withDefaults({ broker: 'mqtts://me:p%40ss%2F@broker.lan:8884', ca })),
    { url: 'mqtts://broker.lan:8884', username: 'me', password: 'p@ss/', ca: 'PEM' })
})

t.test('what cannot be right stops the start, without repeating the password', async t => {
  for (const [options, problem] of [
    [{ broker: 'mqtt://' }, /broker is no address/],
    [{ broker: 'mqtt://me:secret%zz@here' }, /broker is no address/],
    [{ broker: 'mqtt://here', password: { env: 'PRN_TEST_NO_SUCH_VARIABLE' } }, /PRN_TEST_NO_SUCH_VARIABLE is not set/],
    [{ broker: 'mqtt://here', ca: '/nowhere/ca.pem' }, /homeassistant\.ca: ENOENT/],
    [{ broker: 'mqtt://here', imageSeconds: 5 }, /imageSeconds must be 0, or 60 at least/]
  ] as const) {
    const error = await loginOf(withDefaults(options)).then(() => undefined, (reason: Error) => reason)
    t.match(error?.message, problem)
    t.notMatch(error?.message, /secret/)
  }
  for (const options of [{ broker: 'http://here' }, { topicPrefix: 'a/#' }, { discoveryPrefix: '/a' }, { broke: 'x' }]) {
    await t.rejects(boot(t, { preset, models: [], config: { plugins: { homeassistant: options } } }),
      { code: 'PRN_ERR_PLUGIN_OPTIONS' })
  }
})

t.test('without a broker nothing happens', async t => {
  const { kernel } = await boot(t, { preset, models: [] })
  t.ok(kernel.plugins.has('homeassistant'))
})
