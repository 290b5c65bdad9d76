import { join } from 'node:path'
import t from 'tap'
import { ModelThread } from '../../../../plugins/slicing/models/index.js'
import { testFolder } from '../../../helpers/folder.js'

const OBJ = `v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nv 0 0 20\nv 20 0 20\nv 20 20 20\nv 0 20 20
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`

t.test('a model is read in a thread of its own', async t => {
  const folder = testFolder(t, { 'cube.obj': OBJ, 'part.step': 'ISO-10303-21;' })
  const thread = new ModelThread()
  t.teardown(() => thread.close())
  t.match(await thread.inspect(join(folder, 'cube.obj'), 'cube.obj'), {
    format: 'obj',
    unit: 'millimeter',
    parts: [{ index: 0, name: 'cube', triangles: 12, sizeMm: [20, 20, 20], volumeMm3: 8_000, isClosed: true, problems: [] }],
    problems: []
  })
  await t.rejects(thread.inspect(join(folder, 'part.step'), 'part.step'), {
    code: 'PRN_ERR_BAD_MODEL', message: /'part\.step'.*STEP.*Export it as 3MF or STL/
  })
})
