import sharp from 'sharp'
import type { Model } from '../types.js'

/** Larger pictures are no camera's. */
const MOST_PIXELS = 12_000_000
/** Of the shorter side, what is cut out of the middle: 224 of 256. */
const MIDDLE = 224 / 256
const margin = (side: number) => (side / MIDDLE - side) / 2
const LUMA = [0.2989, 0.587, 0.114] as const

/** A picture as numbers, channel by channel, as the network wants it. */
export async function prepare (picture: Uint8Array, model: Model): Promise<Float32Array> {
  const { width, height, fit, grey, mean, std } = model
  const image = sharp(picture, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .flatten({ background: '#000' }).toColourspace('srgb')
  const sized = fit === 'stretch'
    ? image.resize(width, height, { fit: 'fill', kernel: 'linear' })
    : image.resize(Math.round(width / MIDDLE), Math.round(height / MIDDLE), { fit: 'cover', kernel: 'linear' })
      .extract({ left: Math.round(margin(width)), top: Math.round(margin(height)), width, height })
  const data = await sized.raw().toBuffer()
  const count = width * height
  const out = new Float32Array(3 * count)
  for (let at = 0; at < count; at++) {
    const pixel = [data[3 * at] ?? 0, data[3 * at + 1] ?? 0, data[3 * at + 2] ?? 0]
    const light = pixel.reduce((sum, value, channel) => sum + value * (LUMA[channel] ?? 0), 0)
    for (let channel = 0; channel < 3; channel++) {
      const value = (grey ? light : pixel[channel] ?? 0) / 255
      out[channel * count + at] = (value - (mean[channel] ?? 0)) / (std[channel] ?? 1)
    }
  }
  return out
}
