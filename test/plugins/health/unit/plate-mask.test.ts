import t from 'tap'
import type { Picture } from '../../../../plugins/health/analysis/picture.js'
import {
  cameraFromCorners, cameraSunk, cornersOf, startCamera
} from '../../../../plugins/health/analysis/plate-mask/bed-camera.js'
import { NO_POSE, viewBed } from '../../../../plugins/health/analysis/plate-mask/bed-view.js'
import { wordsOf } from '../../../../plugins/health/analysis/plate-mask/finding-words.js'
import { maskOf } from '../../../../plugins/health/analysis/plate-mask/index.js'
import {
  judgePlate, newPlateMaskState, type PlateMaskState
} from '../../../../plugins/health/analysis/plate-mask/judge.js'
import { withoutHollow } from '../../../../plugins/health/analysis/plate-mask/hollow.js'
import { shrunkRgb } from '../../../../plugins/health/analysis/plate-mask/shrunk-rgb.js'
import { contains } from '../../../../plugins/health/analysis/plate-mask/sheet-light.js'
import {
  OUTLINE_KINDS, projectOutline, type BedCorners, type Camera, type HeightMap, type Outline, type OutlineKind
} from '../../../../plugins/toolpath/index.js'
import { contextOf } from '../../../health/context.js'

const SIZE = { width: 640, height: 360 }
const BED = [256, 256] as const
const SERIES = 'P1'

/** A camera that was mounted some pixels from where the series' is expected, with the bed at its upper end. */
const CAMERA = (() => {
  const corners = cornersOf(startCamera(SERIES, BED, SIZE)!, BED)!
  const off = [[4, 3], [-5, -4], [6, 5], [7, -5]] as const
  const moved = corners.map(([x, y], at) => [x + off[at]![0], y + off[at]![1]] as const) as unknown as BedCorners
  return cameraFromCorners(moved, BED, SIZE, SERIES)!
})()

interface Box { readonly x: number, readonly y: number, readonly side: number, readonly top: number }
const PARTS: readonly Box[] = [{ x: 70, y: 90, side: 56, top: 20 }, { x: 160, y: 120, side: 50, top: 20 }]

function outlineOf (boxes: readonly Box[], z: number): Outline {
  const empty = (): HeightMap => ({ tops: new Uint16Array(256 * 256), bottoms: new Uint16Array(256 * 256) })
  const kinds = Object.fromEntries(OUTLINE_KINDS.map(kind => [kind, empty()])) as Record<OutlineKind, HeightMap>
  for (const { x, y, side, top } of boxes) {
    for (let row = y; row < y + side; row++) kinds.part.tops.fill(100 * top, row * 256 + x, row * 256 + x + side)
  }
  return { cellMm: 1, originX: 0, originY: 0, columns: 256, rows: 256, layer: 5 * z, z, isWhole: true, kinds }
}

/** A picture with what lies on the bed, drawn into the sunk bed of a dark chamber; the noise is always the same. */
function pictureOf (boxes: readonly Box[], z: number, camera: Camera = CAMERA): Picture {
  const sunk = cameraSunk(camera, z)
  const sheet = cornersOf(sunk, BED)!
  const { mask } = projectOutline(outlineOf(boxes, z), sunk)
  const data = new Uint8Array(SIZE.width * SIZE.height * 3)
  for (let at = 0; at < mask.length; at++) {
    const [x, y] = [at % SIZE.width + 0.5, Math.floor(at / SIZE.width) + 0.5]
    const colour = mask[at] !== 0 ? [40, 90, 200] : contains(sheet, x, y) ? [120, 112, 84] : [40, 42, 46]
    for (let channel = 0; channel < 3; channel++) data[at * 3 + channel] = colour[channel]! + at * 7919 % 5
  }
  return { ...SIZE, data }
}

/** A print that grows by a millimetre with each picture. */
function watch (pictures: readonly ((z: number) => readonly Box[])[], should = PARTS) {
  let state: PlateMaskState = newPlateMaskState()
  return pictures.map((boxes, at) => {
    const z = 12 + at
    const grown = (list: readonly Box[]) => list.map(box => ({ ...box, top: Math.min(box.top, z) }))
    const outline = outlineOf(should.map(box => ({ ...box, top: z })), z)
    const result = judgePlate({
      picture: pictureOf(grown(boxes(z)), z), series: SERIES, bedMm: BED, outline, hidden: undefined, state
    })
    state = result.state
    return { ...result, kinds: result.findings.map(({ kind }) => kind) }
  })
}

const good = () => PARTS.map(part => ({ ...part, top: 99 }))

t.test('the bed is found to two pixels where the camera is not as expected', async t => {
  const picture = pictureOf(good().map(box => ({ ...box, top: 10 })), 10)
  const { pose, cameraOf } = viewBed({ picture, series: SERIES, bedMm: BED, sunk: 10, pose: NO_POSE })
  const [found, is] = [cornersOf(cameraOf!(undefined)!, BED)!, cornersOf(cameraSunk(CAMERA, 10), BED)!]
  found.forEach(([x, y], at) => t.ok(Math.hypot(x - is[at]![0], y - is[at]![1]) < 2.5, `corner ${at}: ${x} ${y}`))
  t.equal(pose.found.length, 1)
})

t.test('without a bed in the picture there is no camera, and nothing is said', async t => {
  const picture = { ...SIZE, data: new Uint8Array(SIZE.width * SIZE.height * 3).fill(60) }
  t.equal(viewBed({ picture, series: SERIES, bedMm: BED, sunk: 10, pose: NO_POSE }).cameraOf, undefined)
  const [outline, state] = [outlineOf(PARTS, 12), newPlateMaskState()]
  const result = judgePlate({ picture, series: SERIES, bedMm: BED, outline, hidden: undefined, state })
  t.same([result.isJudged, result.findings], [false, []])
})

t.test('a print as it should be has no findings, and a part that has gone is missing in two pictures', async t => {
  const looks = watch([good, good, good, () => good().slice(0, 1), () => good().slice(0, 1)])
  t.same(looks.map(({ kinds }) => kinds), [[], [], [], [], ['missing']])
  t.ok(looks.every(({ isJudged }) => isJudged))
  t.match(wordsOf(looks.at(-1)!.findings), /^Part missing: nothing is where layer 80 should have \d+ mm of part\.$/)
})

t.test('a part that lies elsewhere has moved, and one that no longer grows is too low', async t => {
  const moved = () => good().map((box, at) => at === 1 ? { ...box, x: box.x + 26 } : box)
  t.same(watch([good, good, moved, moved]).at(-1)?.kinds.includes('moved'), true)
  const low = (z: number) => good().map(box => ({ ...box, top: z - 9 }))
  const [last] = watch([good, good, low, low]).slice(-1)
  t.same(last?.kinds, ['stopped', 'stopped'])
  t.match(wordsOf(last!.findings), /^No plastic for about (40|45|50|55) layers: the part is (8|9|10|11) mm lower/)
})

t.test('what is below the limit, or seen once, is not told', async t => {
  const nudged = () => good().map(box => ({ ...box, x: box.x + 1 }))
  t.same(watch([good, good, nudged, nudged]).at(-1)?.findings, [])
  t.same(watch([good, good, () => [], good]).map(({ findings }) => findings.length), [0, 0, 0, 0])
})

t.test('what was not seen to be right before is not called missing', async t => {
  t.same(watch([() => [], () => [], () => []]).map(({ findings }) => findings.length), [0, 0, 0])
})

t.test('a bed that travels has no mask, and a finding warns without being critical', async t => {
  const thresholds = { warning: 0.08, critical: 0.2 }
  const input = { picture: pictureOf(good(), 12), width: 640, hidden: undefined, state: undefined, thresholds }
  const travelling = { ...input, context: contextOf({ series: 'A1' }), expected: { outline: outlineOf(PARTS, 12) } }
  t.same(maskOf(travelling), { anomaly: 0 })
  const before = watch([good, good, () => good().slice(0, 1)]).at(-1)!.state
  const { anomaly, finding } = maskOf({
    ...input,
    picture: pictureOf([{ ...PARTS[0]!, top: 15 }], 15),
    context: contextOf({ series: 'P1' }),
    expected: { outline: outlineOf(PARTS.map(part => ({ ...part, top: 15 })), 15) },
    state: before
  })
  t.match(finding, /^Part missing/)
  t.ok(anomaly > thresholds.warning && anomaly < thresholds.critical)
})

t.test('a picture is scaled down by the mean of each channel, and a small one is left alone', async t => {
  const data = Uint8Array.from({ length: 24 }, (_, at) => at % 3 === 0 ? 10 * at : at % 3)
  const picture = { width: 4, height: 2, data }
  t.same(shrunkRgb(picture, 2), { width: 2, height: 1, data: Uint8Array.from([75, 1, 2, 135, 1, 2]) })
  t.equal(shrunkRgb(picture, 640).data, picture.data)
})

t.test('a vase is left out of the comparison, a box is not', async t => {
  const outline = outlineOf([{ x: 20, y: 20, side: 40, top: 30 }, { x: 120, y: 20, side: 40, top: 30 }], 30)
  const { tops } = outline.kinds.part
  for (let row = 21; row < 59; row++) tops.fill(100, row * 256 + 21, row * 256 + 59) // a floor of 1 mm
  const { part, other } = withoutHollow(outline).kinds
  t.same([part.tops[20 * 256 + 20], other.tops[20 * 256 + 20]], [0, 3000])
  t.same([part.tops[20 * 256 + 120], other.tops[20 * 256 + 120]], [3000, 0])
  t.equal(outline.kinds.part.tops[20 * 256 + 20], 3000, 'it is shared')
})
