import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { builtIn } from '../../../plugins/health-model/built-in.js'
import { createInferenceClient } from '../../../plugins/health-model/runtime/client.js'
import { installedRuntimes, RUNTIMES } from '../../../plugins/health-model/runtime/runtime-packages.js'
import { createSequence } from '../../health/scene/sequence.js'

/** Where CI puts what `prnd health runtime install` installs. */
const RUNTIME = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'prnd-onnx')
const installed = await installedRuntimes(RUNTIME)
/** A value that causes a warning when it stays. */
const WARNING = 0.38

t.test('the built-in network is the one that is described', async t => {
  const { model, file } = builtIn()
  const bytes = await readFile(file)
  t.equal(bytes.length, model.bytes)
  t.equal(createHash('sha256').update(bytes).digest('hex'), model.sha256)
})

for (const { name: runtime } of RUNTIMES) {
  const skip = installed[runtime] === undefined && `${runtime} is not installed`

  t.test(`${runtime}: the built-in network tells a tangle from good prints, and where it is`, { skip, timeout: 180_000 }, async t => {
    const client = createInferenceClient(RUNTIME, runtime)
    t.teardown(() => client.close())
    const { model, file } = builtIn()
    const judge = async (seed: number, fails: boolean, index: number) => {
      const sequence = createSequence({ seed, machine: 'enclosed', fails, begun: fails })
      const { jpeg } = await sequence.frame(index)
      return { ...await client.infer(file, model, jpeg), truth: sequence.truth(index) }
    }
    for (const seed of [540_001, 540_002, 540_003]) {
      const { value } = await judge(seed, false, 4)
      t.ok(value < WARNING, `a good print has ${value}`)
    }
    const { value, boxes, truth } = await judge(540_012, true, 4)
    t.ok(value > WARNING, `a tangle has ${value}`)
    const isSeen = truth.strands.filter(([x, y]) => boxes.some(({ left, top, right, bottom }) =>
      x >= left && x <= right && y >= top && y <= bottom)).length
    t.ok(isSeen > truth.strands.length / 3, `${isSeen} of ${truth.strands.length} strands are inside boxes`)
  })
}
