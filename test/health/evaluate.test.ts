import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { defineHealthDetector, type DetectOptions } from '../../plugins/health/index.js'
import { evaluate, figuresOf, runsOf } from './evaluate.js'
import { auc, detectionAt, rocOf } from './figures.js'
import { judgeFolder, summaryOf } from './folder.js'
import { writeReport } from './report.js'
import { FAILURES, LOOKS } from './scene/looks.js'
import { createSequence } from './scene/sequence.js'
import { testFolder } from '../helpers/folder.js'

t.test('figures of known scores', async t => {
  const of = (good: number[], failing: number[]) =>
    [...good.map(score => ({ score, fails: false })), ...failing.map(score => ({ score, fails: true }))]
  t.equal(auc(of([0, 1, 2], [3, 4])), 1)
  t.equal(auc(of([0, 1], [0, 1])), 0.5)
  t.equal(detectionAt(of([0, 0, 0, 1], [2, 0.5]), 0), 0.5)
  t.same(rocOf(of([0, 1], [1, 2])), [[0, 0], [0, 0.5], [0.5, 1], [1, 1]])
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

t.test('each look and each failure is drawn, and none is like another', async t => {
  const small = { seed: 7, machine: 'enclosed', width: 320, height: 180 } as const
  const drawn = [
    ...LOOKS.map(look => ({ ...small, look, fails: false })),
    ...FAILURES.map(failure => ({ ...small, look: 'plain' as const, failure, fails: true, failsAt: 0.4 }))
  ].map(async options => (await createSequence(options).frame(6)).jpeg.toString('base64'))
  t.equal(new Set(await Promise.all(drawn)).size, LOOKS.length + FAILURES.length)
})

t.test('a print fails where it is told to', async t => {
  for (const failsAt of [0.1, 0.4, 0.7]) {
    const scene = createSequence({ seed: 9, machine: 'enclosed', fails: true, failsAt, width: 320, height: 180 })
    const [before, at] = [await scene.frame(scene.onset - 1), await scene.frame(scene.onset)]
    t.equal(before.failed, 0)
    t.ok(at.failed > 0 && Math.abs(at.context.progressPct - 100 * failsAt) <= 1, `${at.context.progressPct} %`)
  }
})

t.test('a tangle that was there before the first picture is found beside the plate of the job', async t => {
  const begun = { machine: 'enclosed', fails: true, begun: true, frames: 5, look: 'plain' } as const
  const known = figuresOf((await runsOf(begun, 1060, 3)).get('improved') ?? [])
  t.ok(known.within5 >= 0.6, `${known.within5}`)
  const good = (await runsOf({ machine: 'enclosed', fails: false, frames: 3, look: 'plain' }, 1060, 3)).get('improved') ?? []
  t.equal(figuresOf(good).falseAlarms, 0)
})

t.test('a few prints that served for no tuning are told apart', async t => {
  const runs = (await evaluate('enclosed', 1021, 3, ['improved'], 6)).get('improved') ?? []
  const figures = figuresOf(runs)
  t.ok(figures.auc >= 0.85, `AUC ${figures.auc}`)
  t.ok(figures.within3 >= 0.6, `noticed ${figures.within3}`)
  t.equal(figures.falseAlarms, 0)
})

t.test('a folder of labelled pictures is scored', async t => {
  const folder = testFolder(t)
  for (const [label, fails] of [['good', false], ['spaghetti', true]] as const) {
    const scene = createSequence({ seed: 1040, machine: 'enclosed', fails, width: 640, height: 360 })
    await mkdir(join(folder, label, 'print'), { recursive: true })
    for (let index = 0; index < 3; index++) await writeFile(join(folder, label, 'print', `${index}.jpg`), (await scene.frame(index)).jpeg)
  }
  await mkdir(join(folder, 'unknown'))
  await writeFile(join(folder, 'unknown', 'x.jpg'), 'not read')
  const judged = await judgeFolder(folder, 'improved', 'P1')
  const found = summaryOf(judged)
  t.same([found.good, found.failing], [3, 3])
  t.ok(found.auc > 0 && found.auc <= 1)

  const asked: Pick<DetectOptions, 'job' | 'remember'>[] = []
  const detector = defineHealthDetector({
    name: 'sure',
    async detect ({ capturedAt }, _context, { job, remember }) {
      asked.push({ job, remember })
      return { score: capturedAt === 120_000 ? 1 : 0, trust: 1 }
    }
  })
  await writeFile(join(folder, 'labels.csv'), 'path,label\ngood/print/0.jpg,good,one\ngood/print/1.jpg,spaghetti,one\n' +
    'good/print/2.jpg,ignore\nspaghetti/print/0.jpg,good\n')
  const labelled = await judgeFolder(folder, 'improved', 'P1', [detector])
  t.match(labelled, [{ fails: false, score: 0 }, { fails: true, score: 1 }, { fails: false, score: 0 }])
  t.same(asked, [{ job: 1, remember: true }, { job: 1, remember: true }, { job: 2, remember: false }],
    'a sequence is a job of which every look counts, a picture alone is asked about once')
  const page = await readFile(await writeReport(folder, join(folder, 'out'), [...labelled, { ...labelled[0]!, path: '<b>.jpg' }]), 'utf8')
  t.notMatch(page, /<b>|<script/)
  t.ok(page.indexOf('good/print/1.jpg') < page.indexOf('good/print/0.jpg'), 'the highest score first')
  t.match(await readFile(join(folder, 'out', 'results.csv'), 'utf8'), /"good\/print\/1.jpg","one",failing,1,/)
})
