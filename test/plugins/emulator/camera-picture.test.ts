import t from 'tap'
import sharp from 'sharp'
import { createCanvas } from '../../../plugins/emulator/camera/picture/canvas.js'
import { sceneOf } from '../../../plugins/emulator/camera/picture/scene.js'
import { createStage } from '../../../plugins/emulator/camera/picture/stage.js'
import { viewOf } from '../../../plugins/emulator/camera/picture/view.js'
import { createRenderer, type Renderer } from '../../../plugins/emulator/camera/picture/renderer.js'
import { createJpegServer } from '../../../plugins/emulator/camera/jpeg/server.js'
import {
  createCameraFaultInjector, PRINT_FAILURES, type CameraFaultInjector, type PrintFailure
} from '../../../plugins/emulator/camera/camera-fault-injector.js'
import { resolveCamera } from '../../../plugins/emulator/camera/index.js'
import { coverage } from '../../../plugins/emulator/camera/picture/coverage.js'
import { isLiveViewOff } from '../../../plugins/emulator/camera/live-view.js'
import { createMachine } from '../../../plugins/emulator/machine/create.js'
import { startJob } from '../../../plugins/emulator/machine/job.js'
import type { Machine } from '../../../plugins/emulator/machine/types.js'
import { resolve } from '../../../plugins/emulator/options.js'
import { describeJob } from '../../../plugins/emulator/virtual-job.js'
import type { ModelName } from '../../../plugins/emulator/index.js'
import { start, takeFrame, watch } from './camera-viewer.js'

const SIZE = { width: 640, height: 360 }

interface Shown { readonly machine: Machine, readonly renderer: Renderer, fails: CameraFaultInjector['printFailure'] }

const spaghetti = (from: number) => ({ kind: 'spaghetti' as const, from })

/** A moment at which the head hides little. */
const MOMENT = Date.parse('2026-01-01T12:00:00Z')

/** A printer that has come so far with a white part, at that moment unless there is a clock. */
function shown (model: ModelName, done: number, now = () => MOMENT): Shown {
  const machine = createMachine(resolve({ model }))
  const unit = machine.ams.units[0]?.id ?? 255
  startJob(machine, describeJob(machine, { filament: { ams: unit, slot: 1 } }))
  Object.assign(machine.job, { state: 'RUNNING', stageAt: 99, elapsedMs: done * machine.job.durationMs })
  const state: Shown = { machine, fails: undefined, renderer: createRenderer(machine, () => state.fails, now) }
  return state
}

const grey = async ({ renderer }: Shown): Promise<Buffer> =>
  sharp(await renderer.raw(SIZE), { raw: { ...SIZE, channels: 3 } }).greyscale().raw().toBuffer()

const mean = (pixels: Iterable<number>): number => {
  const all = [...pixels]
  return all.reduce((sum, pixel) => sum + pixel, 0) / all.length
}

/** Pixels of the part: nothing else is as bright below the head and above the date. */
const bright = (picture: Buffer): number => picture.subarray(640 * 150, 640 * 338).filter(level => level > 130).length

/** How much neighbours differ around the middle of the plate. */
function texture (picture: Buffer): number {
  const steps: number[] = []
  for (let y = 220; y < 335; y++) {
    for (let x = 200; x < 460; x++) {
      const at = y * 640 + x
      steps.push(Math.abs((picture[at] ?? 0) - (picture[at + 1] ?? 0)) > 24 ? 1 : 0)
    }
  }
  return mean(steps)
}

for (const model of ['X1C', 'H2D', 'A1'] as const) {
  t.test(`${model}: a part grows`, async t => {
    const [early, late] = [bright(await grey(shown(model, 0.1))), bright(await grey(shown(model, 0.9)))]
    t.ok(late > early + 2500, `${early} bright pixels, then ${late}`)
  })

  t.test(`${model}: a tangle grows from the share on at which the part came loose`, async t => {
    const before = shown(model, 0.25)
    before.fails = spaghetti(0.3)
    const soon = shown(model, 0.32)
    const clean = texture(await grey(soon))
    soon.fails = spaghetti(0.3)
    const late = shown(model, 0.5)
    late.fails = spaghetti(0.3)
    t.ok(texture(await grey(before)) < clean * 1.5, 'nothing before')
    t.ok(texture(await grey(soon)) > clean * 1.5, 'something at once')
    t.ok(texture(await grey(late)) > texture(await grey(soon)) * 1.3, 'more later')
  })

  t.test(`${model}: without its light it is darker`, async t => {
    const printer = shown(model, 0.5)
    const lit = mean(await grey(printer))
    printer.machine.fields = { ...printer.machine.fields, lights_report: [{ node: 'chamber_light', mode: 'off' }] }
    const dark = mean(await grey(printer))
    t.ok(dark < lit * 0.6, `${lit.toFixed(0)} lit, ${dark.toFixed(0)} dark`)
    if (model !== 'A1') t.ok(((await grey(printer)).toSorted()[640 * 360 * 0.95] ?? 255) < 40, 'too dark to see')
  })
}

t.test('the plate of a closed printer sinks under a nozzle that keeps its height; the other climbs', async t => {
  const tops = (model: ModelName, done: number): number[] => {
    const { machine } = shown(model, done)
    const scene = { ...sceneOf(machine, undefined, 0), head: undefined }
    const { place } = createStage(createCanvas(640, 360), viewOf(machine.traits), scene)
    return [place(0.5, 0.5, 0)[1], place(0.5, 0.5, scene.printedMm)[1]]
  }
  const [[plate = 0, nozzle = 0], [sunk = 0, same = 0]] = [tops('X1C', 0.1), tops('X1C', 0.9)]
  t.ok(sunk > plate + 20, `plate at ${plate}, then ${sunk}`)
  t.ok(Math.abs(same - nozzle) < 0.01)
  const [[bed = 0, low = 0], [kept = 0, high = 0]] = [tops('A1', 0.1), tops('A1', 0.9)]
  t.equal(kept, bed)
  t.ok(high < low - 20, `nozzle at ${low}, then ${high}`)
})

t.test('two pictures are never alike, and the strands that are there stay', async t => {
  let moment = MOMENT
  const printer = shown('X1C', 0.5, () => moment)
  const first = await grey(printer)
  moment += 5
  t.not((await grey(printer)).equals(first), true)
  printer.machine.job.state = 'PAUSE'
  printer.fails = spaghetti(0.2)
  const one = await grey(printer)
  moment += 5
  const two = await grey(printer)
  const area = (picture: Buffer): Buffer => picture.subarray(640 * 200, 640 * 330)
  const far = area(one).filter((level, at) => Math.abs(level - (area(two)[at] ?? 0)) > 20).length
  t.equal(far, 0, 'at rest only the noise and the date change')
})

t.test('each failure is seen from where it begins, and not before', async t => {
  for (const model of ['X1C', 'A1'] as const) {
    const printer = shown(model, 0.6)
    printer.machine.job.state = 'PAUSE'
    const well = await grey(printer)
    const changed = async (from: number, kind: PrintFailure) => {
      printer.fails = { kind, from }
      const [top, bottom] = [640 * 60, 640 * 330]
      const now = (await grey(printer)).subarray(top, bottom)
      return now.filter((level, at) => Math.abs(level - (well[top + at] ?? 0)) > 20).length
    }
    for (const kind of PRINT_FAILURES) {
      t.equal(await changed(0.9, kind), 0, `${model}: ${kind}, not yet`)
      const pixels = await changed(0.2, kind)
      t.ok(pixels > 100, `${model}: ${kind}, ${pixels} pixels`)
    }
  }
})

t.test('coverage of a shape is exact', async t => {
  const areaOf = (points: [number, number][]): number => {
    let sum = 0
    coverage(points, 20, 20, (_y, from, to, share) => { sum += (to - from) * share })
    return sum
  }
  const near = (actual: number, wanted: number): void => {
    t.ok(Math.abs(actual - wanted) < 0.2, `${actual.toFixed(3)} of ${wanted}`)
  }
  near(areaOf([[2, 2], [10, 2], [10, 8], [2, 8]]), 48)
  near(areaOf([[2.25, 2.5], [3.75, 2.5], [3.75, 4], [2.25, 4]]), 2.25)
  near(areaOf([[0, 0], [20, 0], [0, 20]]), 200)
  near(areaOf([[-10, -10], [30, -10], [30, 30], [-10, 30]]), 400)
  near(areaOf([[15, 5], [35, 5], [35, 10], [15, 10]]), 25)
  near(areaOf([[30, 5], [35, 5], [35, 10]]), 0)
})

t.test('nothing is drawn while nobody watches', async t => {
  let drawn = 0
  const renderer: Renderer = {
    raw: async () => { drawn++; return new Uint8Array() },
    jpeg: async () => { drawn++; return Buffer.alloc(0) }
  }
  const { machine } = shown('P1S', 0.5)
  const settings = resolveCamera(machine.traits, { fps: 30 })
  const server = createJpegServer({
    settings, renderer, faultInjector: createCameraFaultInjector(), accessCode: 'x', admits: () => true, isOff: () => false
  })
  await new Promise(resolve => setTimeout(resolve, 120))
  t.equal(drawn, 0)
  await server.stop()
})

t.test('a live printer shows its job, and the spaghetti fault', async t => {
  const printer = await start(t, { model: 'P1S', camera: { ...SIZE, fps: 10 }, speed: 600 })
  const wire = await watch(t, printer)
  const pixels = async (): Promise<Buffer> => sharp((await takeFrame(wire)).jpeg).greyscale().raw().toBuffer()
  const idle = texture(await pixels())
  printer.faults.camera.spaghetti()
  printer.startJob({ minutes: 30 })
  let now = 0
  for (let frame = 0; frame < 60 && now < idle + 0.05; frame++) now = texture(await pixels())
  t.ok(now >= idle + 0.05, `texture ${idle.toFixed(3)}, then ${now.toFixed(3)}`)
})

t.test('what counts as live view switched off', async t => {
  const { machine } = shown('X1C', 0)
  t.equal(isLiveViewOff(machine), false)
  const urls = ['disable', ''].map(url => ({ rtsp_url: url }))
  for (const ipcam of [...urls, { liveview: { local: 'none' } }, { liveview: { local: 'disabled' } }]) {
    machine.fields = { ipcam }
    t.equal(isLiveViewOff(machine), true, JSON.stringify(ipcam))
  }
  machine.fields = { ipcam: { liveview: { local: 'rtsps' } } }
  t.equal(isLiveViewOff(machine), false)
})
