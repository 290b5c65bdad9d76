import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { VERSION, isRange, isVersion, satisfies } from '../../../core/kernel/version.js'

t.test('the version is that of the package', async t => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'))
  t.equal(VERSION, version)
})

t.test('ranges as plugins write them', async t => {
  for (const [range, version, fits] of [
    ['^1.0.0', '1.4.2', true], ['^1.2.0', '1.1.9', false], ['^1.0.0', '2.0.0', false], ['1.x', '1.9.0', true],
    ['1.2.3', '1.2.3', true], ['1.2.3', '1.2.4', false], ['^1.0.0 || ^2.0.0', '2.5.0', true], ['>=1 <3', '2.9.9', true],
    ['*', '7.0.0', true], ['^1.0.0', '1.1.0-beta.1', true], ['nonsense', '1.0.0', false]
  ] as const) t.equal(satisfies(range, version), fits, `${range} ${version}`)
})

t.test('what is a version and what is a range', async t => {
  for (const good of ['1.0.0', '0.1.0-beta.1']) t.ok(isVersion(good), good)
  for (const bad of ['1', '1.0', '', 'latest', '^1.0.0']) t.notOk(isVersion(bad), bad)
  for (const good of ['^1.0.0', '1', '*']) t.ok(isRange(good), good)
  for (const bad of ['banana', '^a']) t.notOk(isRange(bad), bad)
})
