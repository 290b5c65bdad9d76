import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { createKernel, definePreset } from '../../../core/index.js'
import { testFolder } from '../../helpers/folder.js'

const OLD = new Date('2020-01-01')

async function lay (path: string, at = OLD): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '{"half')
  await utimes(path, at, at)
  return path
}

t.test('a start removes what a killed one had not finished writing, and nothing else', async t => {
  const folder = testFolder(t)
  const inFolder = (names: readonly string[], at?: Date) => Promise.all(names.map(name => lay(join(folder, name), at)))
  const project = 'a'.repeat(32) + '.project'
  const left = await inFolder([
    'config.json.1234567890', 'data/user_prefs.json.123456789', 'data/secrets/printers.json.987654321',
    'data/plugins/projects/projects/' + project + '.0a1b2c3d', 'data/uploads/.0123456789ab.part', 'data/files/x/.0123456789ab.part'
  ])
  const kept = [
    ...await inFolder([
      'other.json.1234567890', 'data/uploads/model.json.123456789', 'data/uploads/part.part', 'data/files/.part',
      'data/prnd.log.1', 'data/pins.json.damaged-1700000000000', 'data/plugins/projects/projects/' + project
    ]),
    ...await inFolder(['data/user_prefs.json.223456789', 'data/uploads/.1123456789ab.part'], new Date(Date.now() + 60_000))
  ]
  const kernel = await createKernel(definePreset({ name: 'none', plugins: [] }),
    { dataDir: join(folder, 'data'), api: { host: '127.0.0.1' }, log: { file: false } },
    { configFile: join(folder, 'config.json') })
  t.teardown(() => kernel.close())
  await kernel.start()
  t.same(left.filter(existsSync), [])
  t.same(kept.filter(path => !existsSync(path)), [])
})
