import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'

/** It imports nothing: a plugin is told by its shape. */
const SLOW = `
const write = (name, more) => ({
  name: 'slow.' + name, summary: name, effect: 'write', scope: 'daemon', consequence: 'Something happens.',
  input: { type: 'object', properties: {} }, output: {}, run: () => { globalThis.slowPluginRan = name }, ...more
})
const operations = [
  write('hang', { preview: () => new Promise(() => {}) }),
  write('see', { preview: async () => ({ checked: ['the weather'] }) }),
  write('throw', { preview: () => { throw new Error('boom') } }),
  write('plain', {})
]
export default {
  name: 'slow', version: '1.0.0', kernel: '^2.0.0',
  contributes: { routes: operations.map(operation =>
    ({ operation, method: 'POST', path: '/slow/' + operation.summary })) }
}
`

t.test('a dry run of a plugin of others has the limits of a call, and never acts', async t => {
  const dataDir = testFolder(t, { 'slow.mjs': SLOW })
  const { http } = await boot(t, {
    models: [], config: { dataDir, plugins: { './slow.mjs': {} } }, dependencies: { limits: { call: 100 } }
  })
  const rehearse = (name: string) => http('POST', `/api/slow/${name}?dry_run=true`, {})
  t.match(await rehearse('hang'), { status: 504, body: { error: 'plugin_late' } })
  t.match(await rehearse('see'), { status: 200, body: { dry_run: true, checked: ['access', 'input', 'the weather'], sends: null } })
  t.match(await rehearse('plain'), { status: 200, body: { unchecked: ['what the operation itself finds out'] } })
  t.match(await rehearse('throw'), { status: 500 })
  const { body } = await http('GET', '/plugins')
  t.match(body.plugins.find(({ name }: { name: string }) => name === 'slow').faults, [{ part: /slow\.hang/ }, { part: /slow\.throw/ }])
  t.equal((globalThis as { slowPluginRan?: string }).slowPluginRan, undefined)
})
