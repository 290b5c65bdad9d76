import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { licencesPage, packagesIn, refused } from '../../docs/generator/licences.js'

const ROOT = join(import.meta.dirname, '..', '..')
const LOCK = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')

const lockOf = (packages: object) => JSON.stringify({ packages: { '': { version: '1.0.0' }, ...packages } })

t.test('every licence of what is installed in production is allowed', async t => {
  const packages = packagesIn(LOCK)
  t.ok(packages.length > 100)
  t.same(refused(packages), [])
  t.match(licencesPage(), /\| MIT \| \d+ \| `@/)
})

t.test('what the lock file says is what the packages say', async t => {
  const entries = Object.entries(JSON.parse(LOCK).packages as Record<string, { license?: string, dev?: boolean }>)
  const installed = entries.filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(ROOT, path, 'package.json')))
  t.ok(installed.length > 100)
  for (const [path, { license }] of installed) {
    const { license: stated } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as { license?: unknown }
    if (typeof stated === 'string') t.equal(license, stated, path)
  }
})

t.test('another licence stops the page and is named', async t => {
  const lock = lockOf({
    'node_modules/fine': { version: '1.0.0', license: 'MIT' },
    'node_modules/a/node_modules/@b/viral': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/both': { version: '1.0.0', license: 'MIT AND GPL-2.0-only' },
    'node_modules/silent': { version: '3.0.0' },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-or-later', dev: true }
  })
  t.same(refused(packagesIn(lock)).map(({ name }) => name), ['@b/viral', 'both', 'silent'])
  t.throws(() => licencesPage(lock), /@b\/viral 2\.0\.0: AGPL-3\.0-only; both 1\.0\.0: MIT AND GPL-2\.0-only; silent 3\.0\.0: none/)
})

t.test('what was looked at by name is allowed as it was looked at, not with another licence', async t => {
  const allowed = packagesIn(lockOf({ 'node_modules/web-push': { version: '1.0.0', license: 'MPL-2.0' } }))
  t.same(refused(allowed), [])
  const changed = packagesIn(lockOf({ 'node_modules/web-push': { version: '2.0.0', license: 'AGPL-3.0-only' } }))
  t.equal(refused(changed).length, 1)
})
