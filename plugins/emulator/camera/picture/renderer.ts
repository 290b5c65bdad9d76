import type { Machine } from '../../machine/types.js'
import type { CameraFaultInjector } from '../camera-fault-injector.js'
import { sceneOf } from './scene.js'
import { viewOf } from './view.js'
import { box, createCanvas, type Canvas } from './canvas.js'
import { exposeWithNoise } from './sensor-noise.js'
import { drawHead } from './head.js'
import { drawLettering } from './lettering.js'
import { drawPart } from './part.js'
import { drawPlate } from './plate.js'
import type { Scene } from './scene.js'
import { createStage } from './stage.js'
import { drawTangle } from './tangle.js'
import type { CameraView } from './view.js'

/** `2030-01-31 12:00:00.0`, UTC. */
const stamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 21)

function drawStamp (canvas: Canvas, unit: number, at: number): void {
  const dot = Math.max(1, Math.round(2 * unit))
  const top = canvas.height - 11 * dot
  box(canvas, 4 * dot, top - 3 * dot, 130 * dot, 13 * dot, [12, 12, 12])
  drawLettering(canvas, stamp(at), 6 * dot, top, dot, [230, 230, 230])
}

/**
 * Draws one picture.
 *
 * @param backdrop bytes of everything that never moves, of the same size
 */
function paint (view: CameraView, scene: Scene, backdrop: Uint8Array, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height)
  canvas.data.set(backdrop)
  const stage = createStage(canvas, view, scene)
  drawPlate(stage)
  drawPart(stage)
  drawTangle(stage)
  drawHead(stage)
  exposeWithNoise(canvas, scene.isLit ? 1 : view.ambient, Math.round(scene.at))
  drawStamp(canvas, stage.unit, scene.at)
  return canvas
}

export interface Size { readonly width: number, readonly height: number }

/** Renders pictures of a machine. Stateless. */
export interface Renderer {
  /** Rows of red, green and blue bytes. */
  raw (size: Size): Promise<Uint8Array>
  jpeg (size: Size, quality: number): Promise<Buffer>
}

const START = Buffer.from([0xFF, 0xD8])
/** The segment at the start of the printers' pictures, which the encoder omits: JFIF 1.1, square pixels. */
const JFIF = Buffer.from('ffe000104a46494600010100000100010000', 'hex')

/** Loaded with the first picture, which may never be requested. */
const images = async () => (await import('sharp')).default

/** By drawing and size; shared by all printers of the process. */
const backdrops = new Map<string, Promise<Uint8Array>>()

function backdropOf (svg: string, { width, height }: Size): Promise<Uint8Array> {
  const key = `${width}x${height} ${svg}`
  const known = backdrops.get(key)
  if (known !== undefined) return known
  const made = images().then(sharp =>
    sharp(Buffer.from(svg)).resize(width, height, { fit: 'fill' }).removeAlpha().raw().toBuffer())
  made.catch(() => backdrops.delete(key))
  backdrops.set(key, made)
  return made
}

/**
 * @param failure how the print fails; undefined when it goes well
 * @param now wall time, ms, by which the head moves
 */
export function createRenderer (machine: Machine, failure: () => CameraFaultInjector['printFailure'],
  now: () => number = Date.now): Renderer {
  const view = viewOf(machine.traits)

  const picture = async (size: Size): Promise<Canvas> => {
    const backdrop = await backdropOf(view.backdrop, size)
    return paint(view, sceneOf(machine, failure(), now()), backdrop, size.width, size.height)
  }

  return {
    raw: async size => (await picture(size)).data,
    async jpeg (size, quality) {
      const sharp = await images()
      const { data } = await picture(size)
      const bare = await sharp(data, { raw: { ...size, channels: 3 } }).jpeg({ quality }).toBuffer()
      return Buffer.concat([START, JFIF, bare.subarray(START.length)])
    }
  }
}
