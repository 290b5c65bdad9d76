import { readFile } from 'node:fs/promises'
import t from 'tap'
import { findInstallation, UPDATE_COMMANDS } from '../../../../plugins/updates/installation.js'
import { REPOSITORY } from '../../../../plugins/updates/operations.js'
import { askRegistry, newerThan, registryAt, releasedIn } from '../../../../plugins/updates/registry.js'
import { startRegistry, tags } from '../registry-server.js'

const never = new AbortController().signal

t.test('a version is told of if it is newer, and one for trying only to who runs one', async t => {
  const released = releasedIn({ latest: '2.1.0', next: '3.0.0-beta.2', old: '1.9.0', beta: '3.0.0-beta.10', odd: '<b>9.9.9</b>' })
  t.same(released, { stable: '2.1.0', preview: '3.0.0-beta.10' })
  t.same(['2.0.0', '2.1.0', '2.2.0', '2.1.0-rc.1', '3.0.0-beta.9', '3.0.0'].map(running => newerThan(running, released)),
    ['2.1.0', null, null, '3.0.0-beta.10', '3.0.0-beta.10', null])
  t.same(releasedIn({ latest: '3.0.0-beta.1', stable: '2.5.0' }), { stable: null, preview: '3.0.0-beta.1' },
    'only latest is what people are to install')
  t.same(releasedIn({}), { stable: null, preview: null })
})

t.test('a registry is asked over https, or on this machine', async t => {
  for (const good of ['https://registry.npmjs.org', 'https://npm.example.org/a/b/', 'http://localhost:4873', 'http://[::1]:1/']) {
    t.match(registryAt(good).href, /\/$/, good)
  }
  for (const bad of ['http://registry.npmjs.org', 'http://127.0.0.1.example.org/', 'ftp://localhost/', 'file:///etc/passwd', 'npm',
    'https://me:secret@npm.example.org/', 'https://npm.example.org/?token=secret']) {
    t.throws(() => registryAt(bad), { code: 'PRN_ERR_CONFIG', message: /plugins\.updates\.registry/ }, bad)
  }
})

t.test('the request says nothing of the service, and only a small answer of the right form is taken', async t => {
  const registry = await startRegistry(t, tags({ latest: '2.1.0' }))
  t.same(await askRegistry(registry.url, never), { stable: '2.1.0', preview: null })
  const [{ url, method, headers } = { url: '', method: '', headers: {} }] = registry.asked
  t.equal(`${method} ${url}`, 'GET /npm/-/package/prnd/dist-tags')
  t.equal(headers['user-agent'], 'prnd')
  const usual = ['host', 'connection', 'accept', 'accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding']
  t.same(Object.keys(headers).filter(name => !usual.includes(name)), [])
  t.equal(headers['accept-language'], '*')

  registry.answer = (_, response) => { response.writeHead(302, { location: 'http://127.0.0.1:1/stolen' }).end() }
  await t.rejects(askRegistry(registry.url, never), /not followed/)
  registry.answer = (_, response) => { response.writeHead(404).end() }
  await t.rejects(askRegistry(registry.url, never), /does not know the package/)
  registry.answer = (_, response) => { response.writeHead(503).end() }
  await t.rejects(askRegistry(registry.url, never), /status 503/)
  for (const wrong of ['<html>', '[]', '{"latest":1}', 'null', '['.repeat(100_000)]) {
    registry.answer = (_, response) => { response.end(wrong) }
    await t.rejects(askRegistry(registry.url, never), /not that of an npm registry/, wrong.slice(0, 20))
  }
  let sent = 0
  registry.answer = (_, response) => {
    const more = () => { while (sent < 64 && response.write(Buffer.alloc(1024 * 1024, ' '))) sent++ }
    response.on('drain', more)
    more()
  }
  await t.rejects(askRegistry(registry.url, never), /larger than 256 KiB/)
  t.ok(sent < 64, 'the rest is not read')
  registry.answer = (_, response) => { response.write('{') } // and no more
  const controller = new AbortController()
  const outcome = t.rejects(askRegistry(registry.url, controller.signal), /the service ends/)
  setImmediate(() => controller.abort(new Error('the service ends')))
  await outcome
})

t.test('how to update depends on how it was installed', async t => {
  const at = (file: string, env = {}, ...paths: string[]) =>
    findInstallation({ file, env, exists: path => paths.includes(path) })
  const global = '/usr/local/lib/node_modules/prnd/dist/plugins/updates/index.js'
  t.equal(at(global), 'global')
  t.equal(at('C:\\Users\\A\\AppData\\Roaming\\npm\\node_modules\\prnd\\dist\\index.js'), 'global')
  t.equal(at(global, { INVOCATION_ID: 'a1' }), 'service')
  t.equal(at(global, { INVOCATION_ID: 'a1', USER: 'prnd' }), 'server')
  t.equal(at(global, { XPC_SERVICE_NAME: 'prnd' }), 'service')
  t.equal(at('/root/.npm/_npx/1a2b/node_modules/prnd/dist/index.js'), 'npx')
  t.equal(at('/srv/app/node_modules/prnd/dist/index.js'), 'project')
  t.equal(at('/srv/prnd/dist/index.js'), 'clone')
  t.equal(at('/app/dist/index.js', {}, '/run/.containerenv'), 'container')
  t.equal(at('/src/prnd/dist/plugins/updates/index.js', {}, '/.dockerenv', '/src/prnd/.git'), 'clone')
  t.equal(at('/app/node_modules/prnd/dist/index.js', { SUPERVISOR_TOKEN: 'x' }, '/.dockerenv'), 'addon')
  for (const [kind, command] of Object.entries(UPDATE_COMMANDS)) t.not(command, '', kind)
})

t.test('the link to what is new leads to the repository of the package', async t => {
  const { repository } = JSON.parse(await readFile('package.json', 'utf8')) as { repository: { url: string } }
  t.equal(`git+${REPOSITORY}.git`, repository.url)
})
