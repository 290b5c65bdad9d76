import sharp from 'sharp'
import type { JobContext } from '../../../plugins/health/types.js'
import { createCamera, type Machine, type Place } from './camera.js'
import { polyline, rectangle } from './draw.js'
import { createHead, createPlate, drawChamber, drawHead, drawPlate } from './machine.js'
import { COLORS, createPart, drawPart, drawSupports, type Part } from './part.js'
import { createRandom, type Random } from './random.js'
import { createTangle, drawTangle } from './tangle.js'

export interface SequenceOptions {
  readonly seed: number
  readonly machine: Machine
  readonly fails: boolean
  readonly frames?: number
  readonly width?: number
  readonly height?: number
}

export interface SceneFrame {
  readonly jpeg: Buffer
  /** Share of the tangle that is there; 0 before it begins. */
  readonly tangled: number
  readonly context: Pick<JobContext, 'layer' | 'totalLayers' | 'progressPct' | 'series'>
}

export interface Sequence {
  readonly frames: number
  /** First frame with a tangle; Infinity when there is none. */
  readonly onset: number
  frame (index: number): Promise<SceneFrame>
}

const LAYER_MM = 0.2
const FRAMES = 8
const FINISH_MM = 75

/** Parts that stand apart. */
function createParts (random: Random): Part[] {
  const color = random.of(COLORS)
  const places = [[0, 10], [-62, 46], [58, 44], [-50, -40], [56, -34]] as const
  const count = random.of([1, 1, 2, 3, 4])
  return places.slice(0, count).map(([x, y]) =>
    createPart(random, x + random.between(-16, 16), y + random.between(-16, 16), random.between(12,
      count === 1 ? 48 : 30), color))
}

/** What happens in a sequence, fixed by its seed. */
function plan ({ seed, machine, fails, frames = FRAMES, width = 1280, height = 720 }: SequenceOptions) {
  const random = createRandom(seed)
  const camera = createCamera(machine, random, width, height)
  const chamber = drawChamber(random, camera)
  const plate = createPlate(random)
  const head = createHead(random)
  const parts = createParts(random)
  const target = random.of(parts)
  const shape = {
    x: target.x + random.between(-20, 20),
    y: target.y + random.between(-20, 20),
    radius: random.between(14, 48),
    height: random.between(6, 34)
  }
  return {
    camera,
    chamber,
    plate,
    head,
    parts,
    target,
    onset: fails ? 3 : Infinity,
    tangle: createTangle(random, shape, target.color, random.whole(40, 140)),
    supports: random.chance(0.3),
    parked: random.chance(0.25),
    /** In one frame the light changes for good. */
    lightFrom: random.chance(0.3) ? random.whole(1, frames - 1) : Infinity,
    lightGain: random.of([0.55, 0.75, 1.25]),
    purges: random.chance(0.3),
    started: random.between(0.03, 0.4),
    speed: random.between(0.005, 0.08),
    noise: random.between(0.8, 3),
    quality: random.whole(70, 90)
  }
}
type Plan = ReturnType<typeof plan>

/** Where the plate is: it sinks as the print grows, or travels to and fro. */
function placer (machine: Machine, share: number, random: Random) {
  const grown = FINISH_MM * share
  const travel = machine === 'slinger' ? random.between(-75, 75) : 0
  const sunk = machine === 'slinger' ? 0 : grown
  return {
    nozzleZ: machine === 'slinger' ? grown : 0,
    plate: (x: number, y: number, z = 0): Place => [x,
      y + travel, z - sunk]
  }
}

function headPlace ({ target, parked }: Plan, machine: Machine, random: Random, z: number, index: number): Place {
  if (parked && random.chance(0.4)) return machine === 'slinger' ? [-150, 0, z] : [-120, 150, z]
  const reach = random.chance(0.3) ? 90 : 28
  const y = machine === 'slinger' ? 0 : target.y + random.between(-reach, reach)
  return [target.x + random.between(-reach, reach), y, z]
}

function draw (script: Plan, machine: Machine, index: number, tangled: number, random: Random): string {
  const { camera, parts } = script
  const share = script.started + script.speed * index
  const { plate, nozzleZ } = placer(machine, share, random)
  const place = headPlace(script, machine, random, nozzleZ, index)
  const [x, y] = camera.see(place)
  const ooze = script.purges && random.chance(0.5)
    ? polyline([[x, y], [x + random.bell() * 8, y + 20], [x + random.bell() * 16, y + 44]], 'rgb(200,190,180)', 2)
    : ''
  const failed = script.target
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${camera.width}" height="${camera.height}">`,
    script.chamber,
    drawPlate(script.plate, camera, plate),
    ...[...parts].sort((a, b) => b.y - a.y).map(part =>
      (script.supports ? drawSupports(createRandom(part.height * 1000), part, camera, plate, share) : '') +
      // What has come off is no longer built upon.
      drawPart(part, camera, plate, tangled > 0 &&
        part === failed
        ? script.started + script.speed * script.onset
        : share)),
    tangled > 0 ? drawTangle(script.tangle, camera, plate, tangled, random) : '',
    ooze,
    drawHead(script.head, camera, place, machine),
    lightOver(script, index, random),
    '</svg>'
  ].join('')
}

/** A slope of light over everything, different from frame to frame. */
function lightOver ({ camera: { width, height }, lightFrom }: Plan, index: number, random: Random): string {
  const strength = index >= lightFrom ? 0.22 : random.between(0, 0.08)
  const side = index >= lightFrom ? 1 : 0
  return '<defs><linearGradient id="l" x1="0" x2="1" y1="0" y2="0.4">' +
    `<stop offset="${side}" stop-color="#fff" stop-opacity="${strength}"/>` +
    `<stop offset="${1 - side}" stop-color="#fff" stop-opacity="0"/></linearGradient></defs>` +
    rectangle(0, 0, width, height, 'url(#l)')
}

const BELLS = (() => {
  const random = createRandom(99)
  return Float32Array.from({ length: 65_521 }, () => random.bell())
})()

/** The sensor's share: gain, offset, noise. */
function expose (data: Buffer, gain: number, offset: number, noise: number, random: Random): Buffer {
  let at = random.whole(0, BELLS.length - 1)
  for (let pixel = 0; pixel < data.length; pixel++) {
    const value = (data[pixel] as number) * gain + offset + (BELLS[at] as number) * noise
    data[pixel] = value < 0 ? 0 : value > 255 ? 255 : value
    at = (at + 1) % BELLS.length
  }
  return data
}

/** A print as a camera sees it, one frame for each analysis. The same options give the same frames. */
export function createSequence (options: SequenceOptions): Sequence {
  const { seed, machine, frames = FRAMES } = options
  const script = plan(options)
  const { width, height } = script.camera
  return {
    frames,
    onset: script.onset,
    async frame (index) {
      const random = createRandom(seed * 7919 + index * 104729 + 1)
      const tangled = index < script.onset ? 0 : Math.min(1, 0.25 * (index - script.onset + 1))
      const share = script.started + script.speed * index
      const svg = draw(script, machine, index, tangled, random)
      const { data } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const gain = random.between(0.88, 1.12) * (index >= script.lightFrom ? script.lightGain : 1)
      expose(data, gain, random.between(-7, 7), script.noise, random)
      const jpeg = await sharp(data, {
        raw: {
          width,
          height,
          channels: 3
        }
      }).jpeg({ quality: script.quality }).toBuffer()
      const layer = Math.round(FINISH_MM * share / LAYER_MM)
      return {
        jpeg,
        tangled,
        context: {
          layer,
          totalLayers: Math.round(FINISH_MM / LAYER_MM),
          progressPct: Math.round(100 * share),
          series: machine === 'slinger' ? 'A1' : 'P1'
        }
      }
    }
  }
}
