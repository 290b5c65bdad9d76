import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { evaluate, figuresOf } from './evaluate.js'
import { auc, detectionAt } from './figures.js'
import { scoreFolder } from './folder.js'
import { createSequence } from './scene/sequence.js'

t.test('figures of known scores', async t => {
  const of = (good: number[], failing: number[]) =>
    [...good.map(score => ({ score, fails: false })), ...failing.map(score => ({ score, fails: true }))]
  t.equal(auc(of([0, 1, 2], [3, 4])), 1)
  t.equal(auc(of([0, 1], [0, 1])), 0.5)
  t.equal(detectionAt(of([0, 0, 0, 1], [2, 0.5]), 0), 0.5)
})

t.test('the same seed gives the same picture', async t => {
  const frame = async () => (await createSequence({
    seed: 5,
    machine: 'slinger',
    fails: true,
    width: 320,
    height: 180
  }).frame(4)).jpeg
  t.same(await frame(), await frame())
})

t.test('a few prints that served for no tuning are told apart', async t => {
  const runs = (await evaluate('enclosed', 1021, 3, ['improved'], 6)).get('improved') ?? []
  const figures = figuresOf(runs)
  t.ok(figures.auc >= 0.85, `AUC ${figures.auc}`)
  t.ok(figures.noticed >= 0.5, `noticed ${figures.noticed}`)
  t.equal(figures.falseAlarms, 0)
})

t.test('a folder of labelled pictures is scored', async t => {
  const folder = t.testdir({})
  for (const [label, fails] of [['good', false], ['spaghetti', true]] as const) {
    const scene = createSequence({ seed: 1040, machine: 'enclosed', fails, width: 640, height: 360 })
    await mkdir(join(folder, label, 'print'), { recursive: true })
    for (let index = 0; index < 3; index++) await writeFile(join(folder, label, 'print', `${index}.jpg`), (await scene.frame(index)).jpeg)
  }
  const found = await scoreFolder(folder, 'improved', 'P1')
  t.same([found.good, found.failing], [3, 3])
  t.ok(found.auc > 0 && found.auc <= 1)
})
