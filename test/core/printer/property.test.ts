import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { resolveModel } from '../../../core/printer/models.js'
import type { Raw } from '../../../core/printer/state/raw.js'
import { decodeState, type Decoded } from '../../../core/printer/state/index.js'
import { EMPTY_CONTEXT, type SessionContext } from '../../../core/printer/state/context.js'
import type { PrinterState } from '../../../core/printer/state/types.js'
import { a1Mini } from './fixtures/a1-mini.data.js'
import { h2d } from './fixtures/h2d.data.js'
import { p1s } from './fixtures/p1s.data.js'
import type { Family } from './fixtures/types.js'
import { x1c } from './fixtures/x1c.data.js'
import { START, type Fields } from './helpers/feed.js'
import { randomMemory, randomPatches } from './helpers/patches.js'
import { createRandom, type Random } from './helpers/random.js'
import { changesBetween, mergeReport } from './helpers/merge.js'

const SEEDS = 6
const STEPS = 80

type Part = keyof PrinterState
const partsOf = (state: PrinterState) => Object.keys(state).filter((name): name is Part => name !== 'receivedAt')

/** What went wrong in a walk; the seed in it makes it happen again. */
const failures: string[] = []
const check = (holds: boolean, what: () => string) => { if (!holds && failures.length < 10) failures.push(what()) }

/** Only time passed, or only what is remembered changed. */
const unchanged = (decoded: Decoded) => ({ decoded, changes: new Map<string, unknown>() })

/** A report in which some fields are missing. */
const without = (report: Fields, random: Random): Fields =>
  Object.fromEntries(Object.entries(report).filter(() => random.chance(0.8)))

function walk ({ serial, report }: Family, seed: number): void {
  const random = createRandom(seed)
  const models = [serial, serial, '', ...[a1Mini, p1s, x1c, h2d].map(({ serial }) => serial)].map(of => resolveModel(of))
  let model = random.pick(models)
  let context: SessionContext = EMPTY_CONTEXT
  let tree: Raw = random.chance(0.2) ? {} : mergeReport({}, without(report, random)).tree
  let at = START
  let decoded: Decoded | undefined
  for (let step = 0; step < STEPS; step++) {
    // At times only what is remembered changes, or the model, or the time alone.
    const patches = random.chance(0.5) ? randomPatches(random) : []
    const before = tree
    for (const patch of patches) tree = mergeReport(tree, patch).tree
    if (random.chance(0.5)) context = { ...context, ...randomMemory(random) }
    if (random.chance(0.05)) model = random.pick(models)
    at += random.int(15_000)
    const last = decoded?.state
    decoded = decodeState(tree, model, context, at, decoded && { decoded, changes: changesBetween(before, tree) })
    const fresh = decodeState(tree, model, context, at).state
    const now = decoded.state
    const where = () => `${model.model} seed ${seed} step ${step}: ${JSON.stringify(patches)}`
    for (const part of partsOf(fresh)) {
      check(isDeepStrictEqual(now[part], fresh[part]), () => `${part} differs from a fresh decoding, ${where()}`)
      if (last && isDeepStrictEqual(last[part], now[part])) {
        check(last[part] === now[part], () => `${part} is equal but another object, ${where()}`)
      }
    }
    check(mergeReport(tree, patches.at(-1) ?? {}).tree === tree, () => `merging again changes the tree, ${where()}`)
    check(Object.isFrozen(now), () => `the state can be changed, ${where()}`)
    for (const key of Object.keys(before)) check(key in tree, () => `${key} is lost, ${where()}`)
  }
}

for (const [at, family] of [a1Mini, p1s, x1c, h2d].entries()) {
  t.test(`${family.model}: decoding step by step is decoding from scratch`, async t => {
    for (let seed = 1; seed <= SEEDS; seed++) walk(family, 100 * at + seed)
    t.strictSame(failures.splice(0), [])
  })
}

/** Reports in which what is remembered, the model or the time decides. */
const TREES: readonly Fields[] = [
  { ...x1c.report, fun: undefined, home_flag: 1 << 23 },
  { ...p1s.report, gcode_file: 'a.3mf', subtask_name: 'a', total_layer_num: 0 },
  {
    ...h2d.report,
    device: {
      ...h2d.report.device as Fields,
      ext_tool: { type: 'F000', mount_3d: 1 },
      ctc: { info: { temp: 30 } },
      airduct: { modeCur: 0 },
      extruder: { state: 2, info: [{ id: 0, info: 10, stat: 1 }, { id: 1, info: 10, stat: 1 }] }
    }
  }
]

t.test('what is remembered, the model and the time count at once, though no report came', async t => {
  const random = createRandom(99)
  const models = [a1Mini, p1s, x1c, h2d].map(({ serial }) => resolveModel(serial))
  for (const report of TREES) {
    const { tree } = mergeReport({}, report)
    for (let round = 0; round < 400; round++) {
      const first: SessionContext = { ...EMPTY_CONTEXT, ...randomMemory(random) }
      const second = random.chance(0.3) ? first : { ...first, ...randomMemory(random) }
      const model = random.pick(models)
      const next = random.chance(0.2) ? random.pick(models) : model
      const at = START + random.int(60_000)
      const later = at + random.int(20_000)
      const now = decodeState(tree, next, second, later, unchanged(decodeState(tree, model, first, at))).state
      const fresh = decodeState(tree, next, second, later).state
      const where = () => `from ${JSON.stringify(first)} to ${JSON.stringify(second)} on ${model.model}, ${next.model}`
      for (const part of partsOf(fresh)) check(isDeepStrictEqual(now[part], fresh[part]), () => `${part} differs, ${where()}`)
    }
  }
  t.strictSame(failures.splice(0), [])
})

t.test('the time alone ends a chamber target', async t => {
  const model = resolveModel(h2d.serial)
  const { tree } = mergeReport({}, TREES[2] ?? {})
  const context: SessionContext = { ...EMPTY_CONTEXT, chamber: { targetC: 45, at: START } }
  const early = decodeState(tree, model, context, START + 5_000)
  t.equal(early.state.heat.chamber.target, 45)
  const soon = decodeState(tree, model, context, START + 8_000, unchanged(early))
  t.equal(soon.state.heat, early.state.heat)
  t.equal(decodeState(tree, model, context, START + 12_000, unchanged(soon)).state.heat.chamber.target, 0)
})

t.test('a change of one field touches the parts that read it, and no other', async t => {
  const model = resolveModel(h2d.serial)
  const { tree } = mergeReport({}, h2d.report)
  const before = decodeState(tree, model, EMPTY_CONTEXT, START)
  const touched = (patch: Record<string, unknown>) => {
    const after = mergeReport(tree, patch).tree
    const since = { decoded: before, changes: changesBetween(tree, after) }
    const { state } = decodeState(after, model, EMPTY_CONTEXT, START + 1, since)
    return partsOf(state).filter(part => state[part] !== before.state[part]).sort()
  }
  t.strictSame(touched({ t_utc: 1 }), [])
  t.strictSame(touched({ mc_percent: 3 }), ['job'])
  t.strictSame(touched({ wifi_signal: '-1dBm' }), ['device'])
  t.strictSame(touched({ ams: { ams: [{ id: '0', temp: '31.0' }] } }), ['ams'])
  t.strictSame(touched({ bed_temper: 61 }), ['heat'])
  t.strictSame(touched({ device: { extruder: { info: [{ id: 1, temp: 29 }] } } }), ['extruders', 'heat'])
  t.strictSame(touched({ print_error: 50348044 }), ['errors'])
  t.strictSame(touched({ home_flag: -1066969712 ^ (1 << 4) }), ['options'])
  t.strictSame(touched({ stat: '640A58000' }), ['device', 'doors'])
  t.strictSame(touched({ device: { ext_tool: { mount_3d: 0 } } }), ['extensionTool'])
  t.strictSame(touched({ xcam: { cfg: 224695 } }), ['detectors'])
})

t.test('the same report again leaves the whole state as it is', async t => {
  for (const { serial, report } of [a1Mini, p1s, x1c, h2d]) {
    const model = resolveModel(serial)
    const { tree } = mergeReport({}, report)
    const before = decodeState(tree, model, EMPTY_CONTEXT, START)
    const again = mergeReport(tree, structuredClone(report)).tree
    const { state } = decodeState(again, model, EMPTY_CONTEXT, START + 1, unchanged(before))
    t.strictSame(partsOf(state).filter(part => state[part] !== before.state[part]), [], model.model)
    t.equal(state.receivedAt, START + 1)
  }
})
