import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8')

t.test('every dependency has its reason', async t => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, object>
  const rows = read('docs', 'decisions', '008-dependencies.md').split('\n').filter(line => line.startsWith('| `'))
  const listed = rows.flatMap(row => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  t.same(Object.keys({ ...dependencies, ...optionalDependencies }).filter(name => !listed.includes(name)), [])
  t.same(rows.filter(row => (row.split(' | ')[1] ?? '').trim().length < 10), [])
})
