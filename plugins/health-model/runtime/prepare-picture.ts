import sharp from 'sharp'
import { inputSizeOf, viewsOf, type Size, type View } from '../fit-picture.js'
import type { Model } from '../types.js'

/** No camera has larger pictures. */
const MOST_PIXELS = 12_000_000
const LUMA = [0.2989, 0.587, 0.114] as const
/** The grey around a letterboxed picture with which YOLO networks are trained. */
const BARS = { r: 114, g: 114, b: 114 }

export interface Prepared {
  /** In the layout of the network, normalised for it. */
  readonly values: Float32Array
  readonly view: View
  /** Of the picture. */
  readonly size: Size
  readonly input: Size
}

/** Pixels of one input, red, green and blue in turn. */
async function pixelsOf (picture: Uint8Array, { cut, size, at }: View, { width, height }: Size): Promise<Uint8Array> {
  const around = { ...at, right: width - size.width - at.left, bottom: height - size.height - at.top }
  return await sharp(picture, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .extract(cut)
    .resize(size.width, size.height, { fit: 'fill', kernel: 'linear' })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .extend({ ...around, background: BARS })
    .raw().toBuffer()
}

function normalised (pixels: Uint8Array, { grey, mean, std, layout }: Model): Float32Array {
  const count = pixels.length / 3
  const out = new Float32Array(pixels.length)
  for (let at = 0; at < count; at++) {
    const pixel = [pixels[3 * at] ?? 0, pixels[3 * at + 1] ?? 0, pixels[3 * at + 2] ?? 0]
    const light = grey ? pixel.reduce((sum, value, channel) => sum + value * (LUMA[channel] ?? 0), 0) : 0
    for (let channel = 0; channel < 3; channel++) {
      const value = (grey ? light : pixel[channel] ?? 0) / 255
      const to = layout === 'nhwc' ? 3 * at + channel : channel * count + at
      out[to] = (value - (mean[channel] ?? 0)) / (std[channel] ?? 1)
    }
  }
  return out
}

/** What the network is given for one picture: one input, or one for each tile. */
export async function inputsOf (picture: Uint8Array, model: Model): Promise<Prepared[]> {
  const { width, height } = await sharp(picture, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).metadata()
  const size = { width, height }
  const prepared: Prepared[] = []
  const input = inputSizeOf(model.fit, size, model)
  for (const view of viewsOf(model.fit, size, model)) {
    prepared.push({ values: normalised(await pixelsOf(picture, view, input), model), view, size, input })
  }
  return prepared
}
