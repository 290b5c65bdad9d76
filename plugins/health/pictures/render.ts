import { annotated } from './annotated.js'
import { composite } from './composite.js'
import { changePicture, edgePicture, heatPicture, maskPicture, zonePicture } from './diagnostic-pictures.js'
import type { Assets } from './names.js'
import { panelBody, PANEL_HIGH } from './panel.js'
import { radarBody } from './radar.js'
import { asPng, decodeImage, drawn, fitInto, resizeImage, toJpeg, toPng } from './images.js'
import { sizeFor, type Scene, type PictureContent } from './scene.js'

export interface RenderInput {
  readonly view: PictureContent
  readonly jpeg: Uint8Array
  readonly referenceJpeg?: Uint8Array
  readonly thumbnail?: Uint8Array
  readonly layout?: Uint8Array
}

const JPEG_QUALITY = { preview: 70, standard: 78, full: 85 } as const
const RADAR_SIZE = 220

export async function sceneOf ({ view, jpeg, referenceJpeg }: RenderInput): Promise<Scene> {
  const full = await decodeImage(jpeg)
  const size = sizeFor(view.quality, full)
  const picture = await resizeImage(full, size)
  const reference = referenceJpeg ? await decodeImage(referenceJpeg, size) : undefined
  return { view, full, picture, ...(reference && { reference }) }
}

const radarPicture = (view: PictureContent) =>
  view.factors === null ? null : drawn({ width: RADAR_SIZE, height: RADAR_SIZE }, radarBody(view.factors, RADAR_SIZE))

const panelPicture = (view: PictureContent, width: number) =>
  drawn({ width, height: PANEL_HIGH }, panelBody(view, width))

/** Null for a missing or unreadable picture of the project. */
const optional = async <T>(bytes: Uint8Array | undefined, make: (bytes: Uint8Array) =>
Promise<T>): Promise<T | null> =>
  bytes === undefined ? null : await make(bytes).catch(() => null)

/** Renders every picture. */
export async function renderAll (input: RenderInput): Promise<Assets> {
  const scene = await sceneOf(input)
  const { view, picture } = scene
  const { width, height } = picture
  const [marked, heat, diff, radar] = [await annotated(scene), await heatPicture(scene),
    await changePicture(scene), await radarPicture(view)]
  const health = await panelPicture(view, 2 * width + 2)
  const sheet = await composite(view, { width, height }, {
    thumbnail: await optional(input.thumbnail, bytes => fitInto(bytes, picture)),
    layout: await optional(input.layout, bytes => fitInto(bytes, picture)),
    raw: picture,
    diff,
    annotated: marked,
    heat,
    health
  })
  return {
    job_state_composite_jpg: await toJpeg(sheet, JPEG_QUALITY[view.quality]),
    project_thumbnail_png: await optional(input.thumbnail, asPng),
    project_layout_png: await optional(input.layout, asPng),
    raw_png: await toPng(picture),
    diff_png: diff && await toPng(diff),
    air_zone_png: await toPng(await zonePicture(scene)),
    mask_png: await toPng(await maskPicture(scene)),
    annotated_png: await toPng(marked),
    heat_png: await toPng(heat),
    edge_png: await toPng(await edgePicture(scene)),
    factors_radar_png: radar && await toPng(radar),
    health_panel_png: await toPng(health)
  }
}

/** Renders the pictures of the live page. */
export async function renderLive (input: RenderInput): Promise<Pick<Assets, 'annotated_png' | 'factors_radar_png' | 'health_panel_png'>> {
  const scene = await sceneOf(input)
  const radar = await radarPicture(scene.view)
  return {
    annotated_png: await toPng(await annotated(scene)),
    factors_radar_png: radar && await toPng(radar),
    health_panel_png: await toPng(await panelPicture(scene.view, 2 * scene.picture.width + 2))
  }
}
