import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ModelThread } from '../../../../plugins/slicing/models/index.js'
import { testFolder } from '../../../helpers/folder.js'
import { findProgram } from '../../../helpers/programs.js'

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

t.test('models are placed in it, and a caller who gives up or a limit of time ends the work', async t => {
  const folder = testFolder(t, { 'cube.obj': OBJ, out: {}, late: {}, never: {} })
  const model = join(folder, 'cube.obj')
  const planFor = (out: string) => ({
    parts: [{ model, name: 'cube' }],
    bedMm: [250, 240, 230] as const,
    excluded: [],
    spacingMm: 5,
    marginMm: 3,
    folder: join(folder, out)
  })
  const thread = new ModelThread()
  t.teardown(() => thread.close())
  t.match(await thread.place(planFor('out')), {
    instances: [{ id: 1, name: 'cube', file: '1.stl', box: [115, 110, 135, 130], heightMm: 20, triangles: 12 }], problems: []
  })
  t.same(readdirSync(join(folder, 'out')).sort(), ['1.stl', 'pick.png', 'plate-small.png', 'plate.png', 'top.png'])
  const reason = new Error('gave up')
  await t.rejects(thread.place(planFor('never'), AbortSignal.abort(reason)), reason)
  t.same(readdirSync(join(folder, 'never')), [])
  const hurried = new ModelThread({ timeoutMs: 0 })
  t.teardown(() => hurried.close())
  await t.rejects(hurried.place(planFor('late')), {
    code: 'PRN_ERR_MODEL_WORK_FAILED', message: /took more than 0 s\. Use fewer triangles/
  })
})

const slicer = findProgram('prusa-slicer')
t.test('PrusaSlicer agrees about a repaired cube', {
  skip: slicer === undefined ? 'prusa-slicer is not installed' : false
}, async t => {
  const folder = testFolder(t, { 'open.obj': OBJ.replace('f 5 6 7 8\n', ''), out: {} })
  const thread = new ModelThread()
  t.teardown(() => thread.close())
  const out = join(folder, 'out')
  await thread.place({
    parts: [{ model: join(folder, 'open.obj'), name: 'cube', repair: true }],
    bedMm: [250, 240, 230],
    excluded: [],
    spacingMm: 5,
    marginMm: 3,
    folder: out
  })
  const text = execFileSync(slicer ?? '', ['--info', join(out, '1.stl')], {
    encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']
  })
  t.match(text, /number_of_facets = +12\n[^]*manifold = +yes\n[^]*volume = +8000\.0/)
})
