import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { build } from '../../outside/installed.js'
import { prnd } from '../prnd.js'

const NAME = 'prnd-plugin-bed-watch'

interface Made { readonly manifest: Record<string, any>, readonly tarball: Buffer }

/** A package as npm packs it. */
async function packed (t: Test, version: string, more: object = {}, code = plugin(version)): Promise<Made> {
  const manifest = { name: NAME, version, description: 'Watches the bed', license: 'MIT', type: 'module', main: 'index.js', keywords: ['prnd-plugin'], ...more }
  const folder = testFolder(t, { package: { 'package.json': JSON.stringify(manifest), 'index.js': code } })
  await promisify(execFile)('tar', ['-czf', 'made.tgz', 'package'], { cwd: folder })
  return { manifest, tarball: readFileSync(join(folder, 'made.tgz')) }
}

const plugin = (version: string) => `export default { name: 'bed-watch', version: '${version}', kernel: '^2.0.0', setup () {} }\n`

/** A registry that has these, the newest last. */
async function startRegistry (t: Test, packages: readonly Made[]): Promise<string> {
  const server = createServer((request, response) => {
    const { url = '' } = request
    const base = `http://${request.headers.host}`
    const send = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const made = packages.find(({ manifest: { name, version } }) => url === `/${name}/-/${version}.tgz`)
    if (made) return response.end(made.tarball)
    if (url.startsWith('/-/v1/search')) {
      const hit = { name: NAME, version: '1.1.0', description: 'Watches \u001B[31mthe bed', date: '2026-11-01T10:00:00.000Z' }
      return send({ objects: [{ package: { ...hit, maintainers: [], publisher: { username: 'alice' } } }] })
    }
    const own = packages.filter(({ manifest: { name } }) => url === `/${name}`)
    if (own.length === 0) return send({ error: 'not found' }, 404)
    const versions = Object.fromEntries(own.map(({ manifest, tarball }) => [manifest.version, {
      ...manifest,
      _npmUser: { name: 'alice', email: 'alice@example.org' },
      dist: {
        tarball: `${base}/${manifest.name}/-/${manifest.version}.tgz`,
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
        unpackedSize: 1_234,
        ...manifest.version === '1.1.0' && { attestations: { provenance: { predicateType: 'https://slsa.dev/provenance/v1' } } }
      }
    }]))
    send({ name: own[0]?.manifest.name, 'dist-tags': { latest: own.at(-1)?.manifest.version }, versions, time: { '1.0.0': '2026-10-01T00:00:00.000Z' } })
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

t.test('a plugin of the registry is found, looked at, installed, updated and removed', async t => {
  await build()
  const registry = await startRegistry(t, [
    await packed(t, '1.0.0', { repository: { type: 'git', url: 'git+https://example.org/bed-watch.git' } }),
    await packed(t, '1.1.0'),
    await packed(t, '2.0.0', { name: 'prnd-plugin-other', keywords: [] }),
    await packed(t, '1.0.0', { name: 'prnd-plugin-broken' }, 'export default 7')
  ])
  const folder = testFolder(t)
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ plugins: { alerts: {} } }))
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  const env = { npm_config_registry: registry, npm_config_cache: cache, npm_config_fetch_retries: '0', PRN_DATA_DIR: folder }
  const run = (...args: string[]) => prnd(t, ['plugins', ...args], env)
  const change = (...args: string[]) => run(...args, '-c', config)
  const stored = () => JSON.parse(readFileSync(config, 'utf8')).plugins
  const at = join(folder, 'node_modules', NAME)

  t.match(await run('search', 'bed', '$(touch x)'), { code: 0, out: new RegExp(`${NAME} +1\\.1\\.0 +2026-11-01 +Watches .*the bed\\n`) })
  t.notOk((await run('search')).out.includes('\u001B'))
  t.match(await change('add', `${NAME}@1.0.0`), {
    code: 1, out: /1\.0\.0: Watches the bed\n {2}published 2026-10-01 by alice, MIT, 2 kB, 0 dependencies\n {2}Without provenance: .*https:\/\/example\.org\/bed-watch\.\nIt runs with all rights/, err: /--yes/
  }, 'it is not installed unasked')
  t.notOk(existsSync(at))
  t.match(await change('add', `${NAME}@1.0.0`, '--yes'), { code: 0, out: /was added to/ })
  t.same(stored(), { alerts: {}, [NAME]: {} })
  t.match(await run('check', '-c', config), { code: 0, out: /bed-watch/ }, 'the service can load it')
  t.match(await change('update', '--yes'), { code: 0, out: /Built in public.*provenance[^]*1\.1\.0 was installed/ })
  t.match(await change('update'), { code: 0, out: /1\.1\.0 is the newest version/ })
  t.equal(JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).version, '1.1.0')
  t.notOk(existsSync(join(folder, 'node_modules', 'prnd')), 'the service itself is not installed a second time')

  for (const [name, reason] of [
    ['prnd-plugin-nothing', /no package/], ['prnd-plugin-other', /does not say that it is a plugin/],
    ['prnd-plugin-broken', /not added to the configuration: .*not a plugin/], [`${NAME}@9.9.9`, /no .*9\.9\.9/],
    ['a;b', /not the name of a package/], ['https://example.org/x.tgz', /not the name/]
  ] as const) t.match(await change('add', name, '--yes'), { code: 1, err: reason }, name)
  t.match(await change('add', '--prefix=/', '--yes'), { code: 2, err: /unknown option/ })
  t.same(stored(), { alerts: {}, [NAME]: {} })

  t.match(await change('remove', NAME), { code: 0, out: /stays/ })
  t.same(stored(), { alerts: {} })
  t.notOk(existsSync(at))
  t.match(await change('remove', NAME), { code: 1, err: /neither/ })
  t.match(await change('update', NAME), { code: 1, err: /not installed/ })
  t.match(await prnd(t, ['plugins', 'search'], { ...env, npm_config_registry: 'http://127.0.0.1:1/' }), { code: 1, err: /npm cannot search/ })
})
