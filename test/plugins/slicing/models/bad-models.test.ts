import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inspectModel } from '../../../../plugins/slicing/models/check/inspect-model.js'
import { checkMesh } from '../../../../plugins/slicing/models/check/check-part.js'
import { joined } from '../../../../plugins/slicing/models/mesh/mesh.js'
import { repairMesh } from '../../../../plugins/slicing/models/mesh/repair.js'
import { openModelFile } from '../../../../plugins/slicing/models/model-file.js'
import { readModel } from '../../../../plugins/slicing/models/read/index.js'
import { testFolder } from '../../../helpers/folder.js'
import { BAD_MODELS, type BadModel } from './bad-models.data.js'

const never = (): void => {}
/** Every message says what is wrong and what to do. */
const SENTENCES = /: .*[^.]\. [A-Z][a-z]+ |: .*already sliced: print it/

t.test('at least fifty planted bad models', async t => {
  t.ok(BAD_MODELS.length >= 50, `${BAD_MODELS.length}`)
  t.equal(new Set(BAD_MODELS.map(({ what }) => what)).size, BAD_MODELS.length)
})

async function judge (t: Test, path: string, { file: name, refused, found, repaired }: BadModel): Promise<void> {
  const read = async () => await openModelFile(path, name)
  if (refused !== undefined) {
    const error = await read().then(file => inspectModel(file, never)).catch((error: unknown) => error) as Error
    t.ok(error instanceof Error, 'it is refused')
    t.match(error.message, refused)
    t.match(error.message, SENTENCES)
    return
  }
  const file = await read()
  const { parts, problems } = await inspectModel(file, never)
  const all = [...problems, ...parts.flatMap(({ problems }) => problems)]
  const [code, words = /./] = found ?? []
  const problem = all.find(problem => problem.code === code)
  t.match(problem?.message ?? all.map(({ code }) => code), words, code ?? '')
  t.match(problem?.remedy, /^[A-Z].*\.$/)
  const mesh = joined((await readModel(file, never)).parts.map(({ mesh }) => mesh))
  if (repaired instanceof RegExp) {
    t.throws(() => repairMesh(mesh, name), { message: repaired })
    return
  }
  const after = checkMesh(repairMesh(mesh, name).mesh)
  t.ok(after.isClosed, 'closed')
  t.same(after.problems.filter(({ weight }) => weight !== 'note'), [], 'nothing is left to be repaired')
  t.ok(Math.abs(after.volumeMm3 / (repaired ?? 0) - 1) < 0.002, `${after.volumeMm3} mm³ of ${repaired}`)
}

t.test('each is refused, or found and repaired, in words', async t => {
  const folder = testFolder(t)
  for (const [index, bad] of BAD_MODELS.entries()) {
    const path = join(folder, String(index))
    writeFileSync(path, bad.content)
    await t.test(bad.what, async t => { await judge(t, path, bad) })
  }
})
