import sharp from 'sharp'
import type { JobContext } from '../../../plugins/health/types.js'
import type { Outline } from '../../../plugins/toolpath/index.js'
import type { Machine, Pixel, Place } from './camera.js'
import { circle, polyline, rectangle, shade } from './draw.js'
import { drawHead, drawPlate } from './machine.js'
import { outlineAt } from './outline.js'
import { drawPart } from './part.js'
import { conditionOf, grownAt, plan, PRINTED_LAYER_MM, type Plan, type SequenceOptions } from './plan.js'
import { createRandom, type Random } from './random.js'
import { shaken } from './shake.js'
import { drawTangle, pixelsOf } from './tangle.js'

export interface SceneFrame {
  readonly jpeg: Buffer
  /** Share of the failure that is there; 0 before it begins. */
  readonly failed: number
  readonly context: Pick<JobContext, 'layer' | 'totalLayers' | 'progressPct' | 'series' | 'settings'>
}

export interface Sequence {
  readonly frames: number
  /** First frame that shows the failure; Infinity when there is none. */
  readonly onset: number
  /** What the slicer tells of the plate: boxes of first layers, in mm from its lower left corner. */
  readonly boxes: Plan['boxes']
  frame (index: number): Promise<SceneFrame>
  /** What should be on the plate there, as the toolpath tells. */
  outline (index: number): Outline
  /** What is to be found there. */
  truth (index: number): Truth
}

export interface Truth {
  /** Places of loose strands, as fractions of the picture. */
  readonly strands: readonly Pixel[]
  /** What the tool head covers: left, top, right, bottom. */
  readonly head: readonly [number, number, number, number]
}

/** Where the plate is: it sinks as the print grows, or travels to and fro. */
function placer (machine: Machine, grown: number, random: Random) {
  const travel = machine === 'slinger' ? random.between(-75, 75) : 0
  const sunk = machine === 'slinger' ? 0 : grown
  return {
    nozzleZ: machine === 'slinger' ? grown : 0,
    plate: (x: number, y: number, z = 0): Place => [x, y + travel, z - sunk]
  }
}

function headPlace ({ target, parked }: Plan, machine: Machine, random: Random, z: number): Place {
  if (parked && random.chance(0.4)) return machine === 'slinger' ? [-150, 0, z] : [-120, 150, z]
  const reach = random.chance(0.3) ? 90 : 28
  const y = machine === 'slinger' ? 0 : target.y + random.between(-reach, reach)
  return [target.x + random.between(-reach, reach), y, z]
}

/** Plastic that has gathered around the nozzle. */
function drawBlob ({ target: { color }, camera }: Plan, [x, y]: Pixel, place: Place, share: number): string {
  const unit = camera.scale(place) * share
  const lumps = [[0, -4, 15], [-9, 1, 11], [8, 3, 12], [1, 7, 10], [-4, -12, 12], [10, -9, 9]] as const
  return lumps.map(([dx, dy, radius], at) =>
    circle([x + dx * unit, y + dy * unit], radius * unit, shade(color, 0.7 + 0.07 * at))).join('') +
    polyline([[x - 8 * unit, y], [x, y + 5 * unit], [x + 9 * unit, y - 2 * unit]], shade(color, 1.3), 2)
}

/** Shares of a tangle that come with a failure. */
const STRANDS: Partial<Record<Plan['failure'], number>> = { spaghetti: 1, detached: 0.5 }

function draw (script: Plan, machine: Machine, index: number, random: Random): string {
  const { camera, parts, failure, supports } = script
  const z = script.finish * Math.min(1, script.started + script.speed * index)
  const failed = grownAt(script, index)
  const { plate, nozzleZ } = placer(machine, z, random)
  const place = headPlace(script, machine, random, nozzleZ)
  const [x, y] = camera.see(place)
  const ooze = script.purges && random.chance(0.5)
    ? polyline([[x, y], [x + random.bell() * 8, y + 20], [x + random.bell() * 16, y + 44]], 'rgb(200,190,180)', 2)
    : ''
  const things = [...parts].sort((a, b) => b.y - a.y).map(part => {
    const condition = conditionOf(script, part, index, z)
    return (supports.get(part) ?? []).map(support => support.draw(camera, plate, condition.top)).join('') +
      drawPart(part, camera, plate, condition)
  })
  const strands = failed * (STRANDS[failure] ?? 0)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${camera.width}" height="${camera.height}">`,
    script.chamber,
    drawPlate(script.plate, camera, plate),
    ...things,
    strands > 0 ? drawTangle(script.tangle, camera, plate, strands, random) : '',
    ooze,
    drawHead(script.head, camera, place, machine),
    failed > 0 && failure === 'blob' ? drawBlob(script, [x, y], place, failed) : '',
    lightOver(script, index, random),
    '</svg>'
  ].join('')
}

function truthOf (script: Plan, machine: Machine, index: number, random: Random): Truth {
  const { camera, failure, tangle, head: { size } } = script
  const z = script.finish * Math.min(1, script.started + script.speed * index)
  const { plate, nozzleZ } = placer(machine, z, random)
  const place = headPlace(script, machine, random, nozzleZ)
  const [x, y] = camera.see(place)
  const unit = size * camera.scale(place) * 0.8
  const share = grownAt(script, index) * (STRANDS[failure] ?? 0)
  return {
    strands: pixelsOf(tangle, camera, plate, share).map(([px, py]) => [px / camera.width, py / camera.height]),
    head: [(x - unit) / camera.width, (y - 2.2 * unit) / camera.height, (x + unit) / camera.width, y / camera.height]
  }
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
  const { seed, machine } = options
  const script = plan(options)
  const { width, height } = script.camera
  const randomAt = (index: number) => createRandom(seed * 7919 + index * 104729 + 1)
  return {
    frames: script.frames,
    onset: script.onset,
    boxes: script.boxes,
    outline: index => outlineAt(script, script.finish * Math.min(1, script.started + script.speed * index)),
    truth: index => truthOf(script, machine, index, randomAt(index)),
    async frame (index) {
      const random = randomAt(index)
      const share = Math.min(1, script.started + script.speed * index)
      const svg = options.still === true ? draw(script, machine, 0, randomAt(0)) : draw(script, machine, index, random)
      const drawn = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()
      const data = options.shake === undefined ? drawn : shaken(drawn, width, height, options.shake, random)
      if (options.still === true) expose(data, random.between(0.98, 1.02), 0, random.between(1, 2), random)
      else {
        const gain = random.between(0.88, 1.12) * (index >= script.lightFrom ? script.lightGain : 1)
        expose(data, gain, random.between(-7, 7), script.noise, random)
      }
      const jpeg = await sharp(data, {
        raw: {
          width,
          height,
          channels: 3
        }
      }).jpeg({ quality: script.quality }).toBuffer()
      const total = Math.round(script.finish / PRINTED_LAYER_MM)
      return {
        jpeg,
        failed: grownAt(script, index),
        context: {
          layer: Math.round(total * share),
          totalLayers: total,
          settings: script.settings,
          progressPct: Math.round(100 * share),
          series: machine === 'slinger' ? 'A1' : 'P1'
        }
      }
    }
  }
}
