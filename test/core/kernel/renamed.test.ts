import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { createKernel } from '../../../core/index.js'
import { operation } from '../../../core/kernel/operation.js'
import { tool } from '../../../core/contributions/tool.js'
import { RENAMED } from '../../../core/kernel/renamed.data.js'
import { explainOldMembers, renamedExport } from '../../../core/kernel/renamed.js'
import { fakeSession } from './fake-session.js'
import { testFolder } from '../../helpers/folder.js'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const read = async (path: string) => await readFile(join(ROOT, path), 'utf8')
const all = Object.entries(RENAMED).flatMap(([where, names]) =>
  Object.entries(names).map(([old, now]) => ({ where, old, now })))

t.test('the changelog has the same table', async t => {
  const section = /^## 2\.0\.0$(.*?)^## /ms.exec(await read('CHANGELOG.md'))?.[1] ?? ''
  const rows = [...section.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$/gm)]
    .map(([, where, old, now]) => ({ where, old, now }))
  t.same(rows, all)
})

t.test('every new name is exported where the table says, and no old one', async t => {
  for (const [where, names] of Object.entries(RENAMED).filter(([where]) => where.startsWith('prnd'))) {
    const path = where === 'prnd' ? 'core/index.ts' : `${where.replace('prnd/', '')}/index.ts`
    const exported = new Set([...(await read(path)).matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(',').map(name => name.replace('type ', '').trim())))
    for (const [old, now] of Object.entries(names)) {
      t.ok(exported.has(now), `${where} exports ${now}`)
      t.notOk(exported.has(old), `${where} does not export ${old}`)
    }
  }
})

t.test('an import that cannot be linked', async t => {
  t.match(renamedExport("The requested module 'prnd' does not provide an export named 'misfit'"),
    /^'misfit' is called 'validationError' since version 2\.0\.0\. /)
  t.match(renamedExport("The requested module 'prnd/plugins/management' does not provide an export named 'admit'"), /'verifyPrinter'/)
  for (const other of [
    "The requested module 'prnd' does not provide an export named 'toString'",
    "The requested module 'toString' does not provide an export named 'name'",
    "The requested module 'other' does not provide an export named 'misfit'", 'Unexpected token'
  ]) t.equal(renamedExport(other), undefined, other)
})

t.test('old members of the kernel and of sessions', async t => {
  const kernel = await createKernel({ name: 'test', plugins: [] }, {
    dataDir: testFolder(t), log: { file: false }, printers: [{ name: 'a1', host: '127.0.0.1', serial: 'S1', accessCode: '12345678' }]
  }, { createSession: config => fakeSession(config) })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  const members = { kernel, session: kernel.printers.get('a1') } as unknown as Record<string, Record<string, unknown>>
  for (const [of, target] of Object.entries(members)) {
    for (const [old, now] of Object.entries(RENAMED[of] ?? {})) {
      t.throws(() => target[old], { code: 'PRN_ERR_RENAMED', message: new RegExp(`'${of}.${old}' is called '${of}.${now}' since`) })
      t.notOk(Object.keys(target).includes(old))
    }
  }
})

t.test('an object with a member of that name keeps it, and one that is closed stays as it is', async t => {
  const own = { faults: 'mine' }
  explainOldMembers(own, 'kernel')
  t.equal(own.faults, 'mine')
  t.doesNotThrow(() => explainOldMembers(Object.freeze({}), 'kernel'))
  t.doesNotThrow(() => explainOldMembers(undefined, 'kernel'))
})

t.test('declarations with an old member are refused where they are made', async t => {
  const schema = Type.Object({})
  const spec = { name: 'x.do', summary: 'x', effect: 'read', input: schema, output: schema, run: () => ({}) } as const
  t.throws(() => operation({ ...spec, reach: 'trusted' } as never), { message: /^Operation 'x\.do': 'reach' is called 'access'/ })
  t.throws(() => tool(operation(spec), { name: 'do_x', as: 'read' } as never), { message: /^Tool 'do_x': 'as' is called 'effect'/ })
})

t.test('a route that is added by hand with an old setting is refused: it would be open to everybody', async t => {
  const dataDir = testFolder(t, {
    'old.mjs': "export default { name: 'old', version: '1.0.0', kernel: '>=1', " +
      "setup: ({ app }) => { app.get('/own', { config: { reach: 'trusted' } }, () => ({})) } }"
  })
  const kernel = await createKernel({ name: 'test', plugins: [] },
    { dataDir, log: { file: false }, plugins: { './old.mjs': {} } }, { configFile: join(dataDir, 'config.json') })
  t.teardown(() => kernel.close())
  await t.rejects(kernel.start({ listen: false }), {
    code: 'PRN_ERR_PLUGIN_SETUP', message: /plugin 'old'.*Route '\/own': 'reach' is called 'access'/i
  })
})
