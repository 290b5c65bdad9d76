import { airZone, HOT } from '../analysis/brightness.js'
import { plateOf } from '../analysis/improved/geometry.js'
import { WIDTH } from '../analysis/index.js'
import { crop, meanGrey, type Box, type Picture } from '../analysis/picture.js'
import { lineMaps, strongest } from '../analysis/reference/lines.js'
import { changeColor, COLORS, DIM, heatColor } from './colors.js'
import { overlaid, resizeImage, type Size } from './images.js'
import { text } from './text.js'
import { ageText, type Scene, type PictureContent } from './scene.js'

const byte = (value: number) => value < 0 ? 0 : value > 255 ? 255 : value

/** Paints a picture pixel by pixel. */
function painted ({ width, height }: Size, paint: (at: number) => readonly [number, number, number]): Picture {
  const data = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const [red, green, blue] = paint(at)
    data[3 * at] = byte(red)
    data[3 * at + 1] = byte(green)
    data[3 * at + 2] = byte(blue)
  }
  return { width, height, data }
}

const caption = (words: string, { height }: Size, color: string = COLORS.label) =>
  `<rect x="2" y="${height - 15}" width="${words.length * 6.6 + 8}" height="13" fill="#000" fill-opacity="0.6"/>` +
  text(6, height - 5, words, { size: 7, color })

/** The bounding box of the analysed part of the frame. */
export function regionBox ({ profile, context }: PictureContent, picture: Picture): Box {
  if (profile === 'reference') return airZone(picture)
  const points = plateOf(context)
  const inside = (value: number) => Math.max(0, Math.min(1, value))
  const [xs, ys] = [points.map(([x]) => inside(x)), points.map(([, y]) => inside(y))]
  const box = {
    left: Math.floor(Math.min(...xs) * picture.width),
    top: Math.floor(Math.min(...ys) * picture.height),
    right: Math.ceil(Math.max(...xs) * picture.width),
    bottom: Math.ceil(Math.max(...ys) * picture.height)
  }
  const isEmpty = box.right - box.left < 16 || box.bottom - box.top < 16
  return isEmpty ? { left: 0, top: 0, right: picture.width, bottom: picture.height } : box
}

export async function zonePicture ({ view, full, picture }: Scene): Promise<Picture> {
  const shown = await resizeImage(crop(full, regionBox(view, full)), picture)
  return await overlaid(shown, caption(view.profile === 'reference' ? 'AIR ZONE' : 'PLATE', picture))
}

/** White where a pixel of the air zone is hot. */
export async function maskPicture ({ full, picture }: Scene): Promise<Picture> {
  const { left, top, right, bottom } = airZone(full)
  const mask = painted(full, at => {
    const [x, y] = [at % full.width, Math.floor(at / full.width)]
    const inside = x >= left && x < right && y >= top && y < bottom
    const { data } = full
    const hot = inside && (data[3 * at] ?? 0) + (data[3 * at + 1] ?? 0) + (data[3 * at + 2] ?? 0) > HOT * 3
    return hot ? [255, 255, 255] : [0, 0, 0]
  })
  return await overlaid(await resizeImage(mask, picture, false), caption('HOT PIXELS', picture))
}

/** Difference from the reference: what became brighter and darker. */
export async function changePicture ({ view, picture, reference }: Scene): Promise<Picture | null> {
  if (!reference || view.referenceAgeS === null) return null
  const changes = painted(picture, at => {
    let [size, signed] = [0, 0]
    for (let channel = 0; channel < 3; channel++) {
      const change = (picture.data[3 * at + channel] ?? 0) - (reference.data[3 * at + channel] ?? 0)
      size += Math.abs(change)
      signed += change
    }
    const weight = Math.min(1, size / 3 / 255 * 3)
    const color = changeColor(3 * signed / 3 / 255 * 3)
    return [0, 1, 2].map(channel =>
      (color[channel] ?? 0) * weight + (DIM[channel] ?? 0) * (1 - weight)) as unknown as readonly [number,
      number, number]
  })
  return await overlaid(changes, caption(`DELTA  REF ${ageText(view.referenceAgeS)}`, picture))
}

/** The novelty map as an interpolated overlay on the frame. */
function noveltyHeat ({ view, full, picture }: Scene): Picture {
  const map = view.analysis.cells?.novelty
  const side = 16 * full.width / Math.min(WIDTH, full.width)
  const box = regionBox(view, full)
  const at = (column: number, row: number) => map && column >= 0 && row >= 0 && column < map.columns && row < map.rows
    ? map.values[row * map.columns + column] ?? 0
    : 0
  return painted(picture, pixel => {
    const x = box.left + (pixel % picture.width + 0.5) / picture.width * (box.right - box.left)
    const y = box.top + (Math.floor(pixel / picture.width) + 0.5) / picture.height * (box.bottom - box.top)
    const from = (Math.floor(y) * full.width + Math.floor(x)) * 3
    const grey = 0.6 * ((full.data[from] ?? 0) + (full.data[from + 1] ?? 0) + (full.data[from + 2] ?? 0)) / 3
    const [column, row] = [x / side - 0.5, y / side - 0.5]
    const [left, top] = [Math.floor(column), Math.floor(row)]
    const [dx, dy] = [column - left, row - top]
    const value = (at(left, top) * (1 - dx) + at(left + 1, top) * dx) * (1 - dy) +
      (at(left, top + 1) * (1 - dx) + at(left + 1, top + 1) * dx) * dy
    const [red, green, blue] = heatColor(0.4 + 0.6 * value)
    const share = Math.min(1, value * 1.6)
    return [grey + (red - grey) * share, grey + (green - grey) * share, grey + (blue - grey) * share]
  })
}

async function strandHeat ({ full, picture }: Scene): Promise<Picture> {
  const zone = crop(full, airZone(full))
  const grey = meanGrey(zone)
  const strands = strongest(lineMaps(grey))
  const heat = painted(zone, at => {
    const bright = (grey.data[at] ?? 0) / 255
    const plain = 1 - Math.min(1, 5 * (strands[at] ?? 0))
    return heatColor(bright).map(value =>
      value * (1 - plain) + 200 * bright * plain) as unknown as readonly [number, number, number]
  })
  return await resizeImage(heat, picture)
}

export async function heatPicture (scene: Scene): Promise<Picture> {
  const { view, picture: { width, height } } = scene
  const heat = view.profile === 'reference' ? await strandHeat(scene) : noveltyHeat(scene)
  const words = `HEAT  ${view.status.word} ${view.analysis.anomaly.toFixed(3)}`
  return await overlaid(heat, `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" fill="none" stroke="${COLORS.warn}" stroke-width="2"/>` +
    caption(words, { width, height }, COLORS.value))
}

/** Lines by direction: horizontal red, vertical green, diagonal blue. */
export async function edgePicture ({ view, full, picture }: Scene): Promise<Picture> {
  const zone = crop(full, regionBox(view, full))
  const { level, upright, falling, rising } = lineMaps(meanGrey(zone))
  const edges = painted(zone, at => [
    255 * (level[at] ?? 0),
    255 * (upright[at] ?? 0),
    255 * Math.max(falling[at] ?? 0, rising[at] ?? 0)
  ])
  return await overlaid(await resizeImage(edges, picture), caption('LINES  R LEVEL  G UPRIGHT  B SLANTING', picture, COLORS.value))
}
