import type { JobContext } from '../../../plugins/health/types.js'
import { createCamera, HALF_MM, type Machine } from './camera.js'
import { LOOKS, plasticOf, type Failure, type Look } from './looks.js'
import { createHead, createPlate, drawChamber, withGrain } from './machine.js'
import { createPart, type Condition, type Part } from './part.js'
import { createRandom, type Random } from './random.js'
import { createBrim, createLattice, createTrees, type Support } from './support.js'
import { createTangle } from './tangle.js'

export interface SequenceOptions {
  readonly seed: number
  readonly machine: Machine
  readonly fails: boolean
  /** @default one by the seed */
  readonly look?: Look
  /** @default spaghetti */
  readonly failure?: Failure
  /** Share of the print at which it begins to fail. @default somewhere, by the seed */
  readonly failsAt?: number
  /** It has failed before the first frame. */
  readonly begun?: boolean
  readonly frames?: number
  /** A lit sheet with a grain of one to three pixels. */
  readonly grained?: boolean
  /** The camera moves by up to so many pixels from frame to frame, and turns and zooms by up to 0.1 %. */
  readonly shake?: number
  /** What the camera sees does not change: only shake, light and noise do. */
  readonly still?: boolean
  readonly width?: number
  readonly height?: number
}

const FRAMES = 8
/** Frames before a failure. */
const LEAD = 3
export const PRINTED_LAYER_MM = 0.2

function createParts (random: Random, look: Look): Part[] {
  const color = plasticOf(look, random)
  const places = [[0, 10], [-62, 46], [58, 44], [-50, -40], [56, -34], [0, 80], [-92, 0], [92, 4], [4, -70]] as const
  const count = look === 'several' ? random.whole(5, 9) : look === 'vase' ? 1 : random.of([1, 1, 2, 3, 4])
  const stray = look === 'several' ? 6 : 16
  const size = count === 1 ? 48 : count < 5 ? 30 : 20
  return places.slice(0, count).map(([x, y]) => createPart(random, look,
    x + random.between(-stray, stray), y + random.between(-stray, stray), random.between(12, size), color))
}

function supportsOf (random: Random, look: Look, part: Part): Support[] {
  if (look === 'brim') return [createBrim(part)]
  if (look === 'trees') return [createTrees(random, part)]
  return look === 'supports' ? [createLattice(random, part), createLattice(random, part)] : []
}

/** What the slicer would tell of a plate: boxes of first layers in mm from its lower left corner. */
function boxesOf (parts: readonly Part[], supports: ReadonlyMap<Part, readonly Support[]>, look: Look) {
  return parts.map(part => {
    const own = supports.get(part)?.[0]
    const [xs, ys] = [part.outline.map(([dx]) => part.x + dx), part.outline.map(([, dy]) => part.y + dy)]
    const bounds = look === 'brim' && own
      ? own.bounds
      : [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
    return bounds.map(value => value + HALF_MM) as unknown as readonly [number, number, number, number]
  })
}

const settingsOf = (look: Look): JobContext['settings'] => ({
  layerHeightMm: PRINTED_LAYER_MM,
  support: look === 'trees' ? 'tree' : look === 'supports' ? 'normal' : 'none',
  brim: look === 'brim' ? 'full' : 'none'
})

/** When it begins, how fast it goes on, when it fails. */
function courseOf (random: Random, { fails, begun, failsAt, frames = FRAMES }: SequenceOptions) {
  const speed = random.between(0.005, 0.08)
  const onset = !fails ? Infinity : begun ? 0 : LEAD
  const started = random.between(0.03, 0.4)
  if (failsAt === undefined) return { onset, started: begun ? random.between(0.1, 0.8) : started, speed, frames }
  const slower = Math.min(speed, (failsAt - 0.01) / LEAD, (1 - failsAt) / (frames - LEAD))
  return { onset, started: begun ? failsAt : failsAt - LEAD * slower, speed: slower, frames }
}

/** What happens in a sequence, fixed by its seed. */
export function plan (options: SequenceOptions) {
  const { seed, machine, failure = 'spaghetti', width = 1280, height = 720 } = options
  const random = createRandom(seed)
  const look = options.look ?? random.of(LOOKS)
  const camera = createCamera(machine, random, width, height)
  const course = courseOf(random, options)
  const parts = createParts(random, look)
  const finish = Math.max(...parts.map(part => part.height))
  const failsFrom = finish * (course.started + course.speed * Math.min(course.frames, course.onset))
  const standing = parts.filter(part => part.height >= Math.min(failsFrom, finish))
  const target = random.of(standing)
  const supports = new Map(parts.map(part => [part, supportsOf(random, look, part)]))
  const shape = {
    x: target.x + random.between(-20, 20),
    y: target.y + random.between(-20, 20),
    radius: random.between(14, 48),
    height: random.between(6, 34)
  }
  return {
    ...course,
    camera,
    look,
    failure,
    finish,
    failsFrom,
    chamber: drawChamber(random, camera),
    plate: options.grained === true
      ? withGrain(createPlate(random, look), createRandom(seed + 1))
      : createPlate(random, look),
    head: createHead(random),
    parts,
    target,
    supports,
    boxes: boxesOf(parts, supports, look),
    settings: settingsOf(look),
    tangle: createTangle(random, shape, target.color, random.whole(40, 140)),
    /** How a failing part is moved or bent. */
    fate: {
      angle: random.between(0, 6.3),
      far: random.between(18, 50),
      turn: random.between(-1, 1),
      tilt: random.of([0, 0, 1.2]),
      step: random.between(4, 12),
      lift: random.between(6, 14)
    },
    /** How grown a failure is at the first frame that shows it. */
    grown: options.begun ? random.of([0.5, 0.75, 1]) : 0.25,
    parked: random.chance(0.25),
    /** In one frame the light changes for good. */
    lightFrom: random.chance(0.3) ? random.whole(1, course.frames - 1) : Infinity,
    lightGain: random.of([0.55, 0.75, 1.25]),
    purges: random.chance(0.3),
    noise: random.between(0.8, 3),
    quality: random.whole(70, 90)
  }
}
export type Plan = ReturnType<typeof plan>

/** Share of a failure that is there; 0 before it begins. */
export const grownAt = ({ onset, grown }: Plan, index: number): number =>
  index < onset ? 0 : Math.min(1, grown + 0.25 * (index - onset))

/** How a part stands at a frame. @param z mm that the nozzle has climbed */
export function conditionOf (script: Plan, part: Part, index: number, z: number): Condition {
  const { failure, target, failsFrom, fate } = script
  const top = Math.min(part.height, z)
  const share = grownAt(script, index)
  if (share === 0) return { top }
  const stopped = Math.min(part.height, failsFrom)
  const [x, y] = [Math.cos(fate.angle), Math.sin(fate.angle)]
  if (failure === 'shift') return { top, shift: { from: failsFrom, x: x * fate.step, y: y * fate.step } }
  if (failure === 'empty') return { top: stopped }
  if (part !== target) return { top }
  if (failure === 'warped') return { top, lift: share * fate.lift }
  if (failure === 'gone') return { top: stopped, isGone: true }
  if (failure !== 'detached' && failure !== 'moved') return { top: stopped }
  return { top: stopped, away: { x: x * fate.far, y: y * fate.far, turn: fate.turn, tilt: fate.tilt } }
}
