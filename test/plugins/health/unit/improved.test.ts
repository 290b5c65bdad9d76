import t from 'tap'
import { analyse } from '../../../../plugins/health/analysis/index.js'
import { EMPTY_STATE, type AnalysisState } from '../../../../plugins/health/analysis/improved/analysis-state.js'
import { crossCorrelation } from '../../../../plugins/health/analysis/improved/cross-correlation.js'
import { densest, tangles } from '../../../../plugins/health/analysis/improved/cell-grid.js'
import { fitOf, edgesOf, patchOf, spreadsOf } from '../../../../plugins/health/analysis/improved/edge-map.js'
import { noiseOf, ridgesOf, smooth } from '../../../../plugins/health/analysis/improved/ridges.js'
import { plateDropOf } from '../../../../plugins/health/analysis/improved/plate-drop.js'
import { chanceBy, suspicionOf } from '../../../../plugins/health/analysis/improved/suspicion.js'
import { downscale, type DownscaledImage } from '../../../../plugins/health/analysis/improved/downscale.js'
import { FEATURES } from '../../../../plugins/health/analysis/improved/cell-features.js'
import { refinedMapping } from '../../../../plugins/health/analysis/improved/affine-fit.js'
import { travelBetween, travelling } from '../../../../plugins/health/analysis/improved/plate-travel.js'
import { TANGLE_TREES } from '../../../../plugins/health/analysis/improved/trees.data.js'
import { chanceOf } from '../../../../plugins/health/analysis/improved/trees.js'
import { boost } from '../../../health/train/boost.js'
import type { Grey, Picture } from '../../../../plugins/health/analysis/picture.js'
import type { JobContext } from '../../../../plugins/health/types.js'
import { thresholdsFor, verdictOf } from '../../../../plugins/health/verdict.js'
import { perform } from '../../../../plugins/health/worker/tasks.js'
import { contextOf } from '../../../health/context.js'
import { createRandom } from '../../../health/scene/random.js'
import { createSequence } from '../../../health/scene/sequence.js'
import { decode } from '../../../health/evaluate.js'

const grey = (width: number, height: number, at: (x: number, y: number) => number): Grey =>
  ({
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, pixel) => at(pixel % width,
      Math.floor(pixel / width)))
  })
const flat = (level: number, noise = 0): Picture => {
  const random = createRandom(level + 1)
  return {
    width: 1280,
    height: 720,
    data: Uint8Array.from({ length: 1280 * 720 * 3 }, () => Math.max(0,
      Math.min(255, level + noise * random.bell())))
  }
}

const judged = (picture: Picture, memory: AnalysisState, context: JobContext = contextOf()) => {
  const found = analyse({ profile: 'improved', picture, context, memory, now: 0 })
  return { ...found, verdict: verdictOf(found.anomaly, thresholdsFor(context)) }
}

t.test('frames that show nothing are never critical and change nothing', async t => {
  const scene = await decode((await createSequence({ seed: 1002, machine: 'enclosed', fails: false }).frame(0)).jpeg)
  const { memory } = judged(scene, EMPTY_STATE)
  for (const [what, picture, gate] of [
    ['uniform grey', flat(128), 'flat'], ['dark with noise', flat(8, 3), 'dark'], ['overexposed', flat(250), 'washed'],
    ['a covered lens', flat(60, 0.5), 'flat']
  ] as const) {
    for (const before of [EMPTY_STATE, memory]) {
      const found = judged(picture, before)
      t.equal(found.verdict, 'clean', what)
      t.equal(found.gate, gate, what)
      t.equal(found.memory, before)
    }
  }
})

t.test('the light going off and on again is no failure', async t => {
  const scene = createSequence({ seed: 1003, machine: 'enclosed', fails: false })
  let memory = EMPTY_STATE
  for (let index = 0; index < 6; index++) {
    const picture = await decode((await scene.frame(index)).jpeg)
    const dimmed = {
      ...picture,
      data: picture.data.map(value =>
        index === 3 ? value * 0.05 : index > 3 ? value * 0.6 : value)
    }
    const found = judged(dimmed, memory)
    memory = found.memory
    t.not(found.verdict, 'critical', `frame ${index}`)
  }
})

t.test('a single picture causes no warning, whatever it looks like', async t => {
  const random = createRandom(5)
  const wild = { width: 1280, height: 720, data: new Uint8Array(1280 * 720 * 3) }
  for (let line = 0; line < 450; line++) {
    let [x, y, heading] = [random.between(0, 1279), random.between(0, 719), random.between(0, 6.3)]
    for (let step = 0; step < 60; step++) {
      heading += random.bell() * 0.3
      x += 2 * Math.cos(heading)
      y += 2 * Math.sin(heading)
      const at = (Math.round(y) * 1280 + Math.round(x)) * 3
      if (x >= 1 && x < 1279 && y >= 1 && y < 719) wild.data.fill(220, at, at + 6)
    }
  }
  const found = judged(wild, EMPTY_STATE)
  t.ok(found.strands > 0.5, `it does look tangled: ${found.strands}`)
  t.equal(found.verdict, 'clean')
  t.equal(found.isFirst, true)
  const again = judged(wild, found.memory)
  t.equal(again.isFirst, undefined)
})

t.test('beside a lone reference a dense tangle warns, and the tool head that has moved does not', async t => {
  const lone = async (seed: number, fails: boolean) => {
    const scene = createSequence({ seed, machine: 'enclosed', look: 'plain', fails })
    const [before, now] = [await scene.frame(2), await scene.frame(scene.frames - 1)]
    const { anomaly } = await perform({
      kind: 'analyse',
      profile: 'improved',
      jpeg: now.jpeg,
      referenceJpeg: before.jpeg,
      context: contextOf({ ...now.context }),
      memory: EMPTY_STATE,
      now: 0,
      alone: true
    })
    return verdictOf(anomaly, thresholdsFor(contextOf()))
  }
  for (const seed of [4, 9, 10, 11, 15]) {
    t.equal(await lone(seed, true), 'warning', `tangle ${seed}`)
    t.equal(await lone(seed, false), 'clean', `good print ${seed}`)
  }
})

t.test('frames of another size begin anew instead of failing', async t => {
  const small = createSequence({ seed: 1004, machine: 'enclosed', fails: false, width: 640, height: 480 })
  const large = createSequence({ seed: 1004, machine: 'enclosed', fails: false })
  const first = judged(await decode((await large.frame(0)).jpeg), EMPTY_STATE)
  const second = judged(await decode((await small.frame(1)).jpeg), first.memory)
  t.equal(second.memory.baselines.length, 1)
  t.equal(second.memory.baselines[0]?.grey.height, 480)
})

t.test('soft filament is never quite clean', async t => {
  const picture = await decode((await createSequence({
    seed: 1005,
    machine: 'enclosed',
    fails: false
  }).frame(0)).jpeg)
  t.ok(judged(picture, EMPTY_STATE, contextOf({ filament: { type: 'TPU', color: '#fff' } })).anomaly >= 0.05)
})

t.test('likeness does not mind light, and finds what has moved a little', async t => {
  const random = createRandom(11)
  const scene = grey(64, 64, () => random.whole(60, 180))
  const darker = grey(64, 64, (x, y) => (scene.data[y * 64 + x] ?? 0) * 0.5 + 20)
  const search = { fromX: -2, toX: 2, fromY: -2, toY: 2 }
  t.ok(crossCorrelation(scene, darker, 16, 16, search).fit > 0.97)
  const moved = grey(64, 64, (x, y) => scene.data[(y + 2) % 64 * 64 + x] ?? 0)
  t.ok(crossCorrelation(moved, scene, 16, 16, search).fit > 0.97)
  const foreign = grey(64, 64, () => random.whole(60, 180))
  t.ok(crossCorrelation(foreign, scene, 16, 16, search).fit < 0.5)
  t.equal(crossCorrelation(grey(64, 64, () => 9), scene, 16, 16, search).fit, 1, 'a patch without contrast is nothing new')
})

t.test('the travel of a plate is found, and its picture laid over that of before', async t => {
  const random = createRandom(12)
  const blocks = Array.from({ length: 60 * 60 }, () => random.whole(20, 230))
  const at = travelling('A1', 640, 360)
  if (!at) return t.fail('the corners of the A1 are known')
  // Blocks of 20 mm on the plate, seen after it went on by a share of its depth.
  const scene = (travel: number) => {
    const back = at(travel)
    return grey(640, 360, (x, y) => {
      const [px, py] = back(x, y)
      return blocks[Math.floor(Math.abs(py) / 14) % 60 * 60 + Math.floor(Math.abs(px) / 14) % 60] ?? 0
    })
  }
  const [now, before] = [scene(0.2), scene(0)].map(one => edgesOf(downscale(one))) as [DownscaledImage, DownscaledImage]
  const small = travelling('A1', now.width, now.height)
  if (!small) return t.fail('the corners of the A1 are known')
  const travel = travelBetween(now, before, small)
  t.ok(Math.abs(travel - 0.2) < 0.02, `${travel}`)
  const { map, isFound } = refinedMapping(now, before, small(travel), 3)
  t.ok(isFound)
  const [[x, y], [trueX, trueY]] = [map(320, 250), at(0.2)(320, 250)]
  t.ok(Math.hypot(x - trueX, y - trueY) < 4, `${x} ${y}, not ${trueX} ${trueY}`)
  t.equal(travelling('UNKNOWN', 640, 360), undefined)
})

t.test('trees ask seven questions and add the answers', async t => {
  const tree = [0, 0.5, 1, 0.5, 1, 0.5, 0, 9, 0, 9, 0, 9, 0, 9, -2, 0, -1, 0, 1, 0, 2, 0]
  const trees = { features: ['a', 'b'], base: 0, trees: [tree, tree] }
  const chance = (a: number, b: number) => chanceOf(trees, Float32Array.of(7, a, b), 1)
  t.equal(chance(0, 0), 1 / (1 + Math.exp(4)))
  t.equal(chance(0, 1), 1 / (1 + Math.exp(2)))
  t.equal(chance(1, 1), 1 / (1 + Math.exp(-4)))
  t.same(TANGLE_TREES.features, FEATURES, 'what was learned from is what is measured')
})

t.test('what spoke for a tangle before counts, and fades; what spoke against one does not', t => {
  const after = (...chances: number[]) =>
    chanceBy(chances.reduce<number | undefined>((before, chance) => suspicionOf(chance, before), undefined) ?? 0)
  t.ok(Math.abs(after(0.55) - 0.55) < 1e-9)
  t.ok(Math.abs(after(0.02, 0.55) - 0.55) < 1e-9, 'it may have begun since')
  t.ok(after(0.55, 0.55, 0.55) > after(0.55, 0.55) && after(0.55, 0.55) > 0.55)
  t.ok(after(0.9, 0.5) > 0.7, 'half hidden behind the head, it is still believed')
  t.ok(after(1, 1, 1, 1, 0.05, 0.05) < 0.25, 'two pictures without it are enough to doubt it')
  t.end()
})

t.test('what is learned from examples is found again', async t => {
  const random = createRandom(3)
  const rows = Float32Array.from({ length: 3 * 4_000 }, () => random.next())
  const isYes = (at: number) => (rows[at] as number) > 0.6 && (rows[at + 2] as number) < 0.5
  const labels = Uint8Array.from({ length: 4_000 }, (_, row) => isYes(3 * row) ? 1 : 0)
  const trees = boost({ features: ['a', 'b', 'c'], rows, labels, weights: new Float32Array(4_000).fill(1) },
    { trees: 20, rate: 0.3, least: 5, smoothing: 1 })
  t.ok(chanceOf(trees, Float32Array.of(0.8, 0.5, 0.2), 0) > 0.8)
  t.ok(chanceOf(trees, Float32Array.of(0.8, 0.5, 0.8), 0) < 0.2)
  t.ok(chanceOf(trees, Float32Array.of(0.3, 0.5, 0.2), 0) < 0.2)
})

t.test('noise is measured, not mistaken for a scene', async t => {
  for (const sigma of [1, 3, 6]) {
    const random = createRandom(sigma)
    const found = noiseOf(grey(320, 180, (x, y) => 60 + x / 4 + y / 8 + sigma * random.bell()))
    t.ok(Math.abs(found - sigma) < 0.35, `${sigma}: ${found}`)
  }
})

t.test('strands in dim light count for as much as in bright light, faint marks on what is bright do not', async t => {
  const found = (light: number, contrast: number) => {
    const random = createRandom(21)
    const ink = new Float32Array(320 * 180).fill(1)
    for (let line = 0; line < 60; line++) {
      let [x, y, heading] = [random.between(90, 230), random.between(50, 130), random.between(0, 6.3)]
      for (let step = 0; step < 60; step++) {
        heading += random.bell() * 0.2
        x += Math.cos(heading)
        y += Math.sin(heading)
        if (x >= 0 && x < 320 && y >= 0 && y < 180) ink[Math.floor(y) * 320 + Math.floor(x)] = 1 - contrast
      }
    }
    const scene = grey(320, 180, (x, y) => light * (ink[y * 320 + x] ?? 0))
    return densest(tangles(scene, ridgesOf(scene, smooth(scene))))
  }
  t.ok(found(200, 0.3) > 0.4)
  t.ok(found(30, 0.3) > 0.8 * found(200, 0.3), `${found(30, 0.3)} of ${found(200, 0.3)}`)
  t.equal(found(200, 0.012), 0)
})

t.test('how far a plate sank is found, more of it near the camera', async t => {
  const random = createRandom(22)
  const blocks = Array.from({ length: 60 * 60 }, () => random.whole(20, 230))
  const scene = (sunk: number) => grey(640, 360, (x, y) => {
    const from = y - sunk * (8 + 0.06 * y)
    return blocks[(Math.floor(from / 12) + 10) * 60 + Math.floor(x / 12)] ?? 0
  })
  const outline = (sunk: number) => edgesOf(downscale(scene(sunk)))
  const sink = plateDropOf(outline(1), outline(0), (_x, y) => y > 40, 12)
  for (const y of [200, 350]) t.ok(Math.abs((sink?.a ?? 0) + (sink?.c ?? 0) * y - (8 + 0.06 * y)) < 3, `at ${y}`)
  const blank = { width: 160, height: 90, values: new Float32Array(160 * 90) }
  t.equal(plateDropOf(blank, outline(0), () => true, 12), undefined)
})

t.test('contrasts of all places at once are those of each', async t => {
  const random = createRandom(23)
  const of = { width: 40, height: 30, values: Float32Array.from({ length: 1200 }, () => random.bell()) }
  const spreads = spreadsOf(of, 10)
  for (const [x, y] of [[0, 0], [30, 20], [7, 13]] as const) {
    t.ok(Math.abs(patchOf(of, x, y, 10, 10).norm - (spreads[y * 40 + x] ?? 0)) < 1e-3)
    t.ok(Math.abs(fitOf(patchOf(of, x, y, 10, 10), of, x, y) - 1) < 1e-4)
  }
  t.equal(spreads[21 * 40], 0, 'what does not fit in has none')
})

/** Prints that go well and were once taken for failures. */
for (const [what, seed] of [['sinks fast', 276], ['is printed by a head that is known late', 258]] as const) {
  t.test(`a print that ${what} raises nothing`, async t => {
    const scene = createSequence({ seed, machine: 'enclosed', fails: false })
    let memory = EMPTY_STATE
    for (let index = 0; index < scene.frames; index++) {
      const { jpeg, context } = await scene.frame(index)
      const found = judged(await decode(jpeg), memory, contextOf(context))
      memory = found.memory
      t.not(found.verdict, 'critical', `frame ${index}`)
    }
  })
}
