import t from 'tap'
import { poseFromBedCorners, type BedCorners } from '../../../plugins/toolpath/outline/bed-pose.js'
import {
  pinholeCamera, placeInPicture, positionOf, resizedCamera, withMovedBed, type Camera, type Point3
} from '../../../plugins/toolpath/outline/camera.js'

const SIZE = { width: 1280, height: 720 }
const BED = [256, 256] as const
const near = (found: readonly number[] | undefined, expected: readonly number[], within = 1e-6) =>
  found !== undefined && found.every((value, at) => Math.abs(value - expected[at]!) <= within)

const cornersOf = (camera: Camera, [width, depth]: readonly [number, number]): BedCorners =>
  [[0, 0], [width, 0], [width, depth], [0, depth]]
    .map(([x, y]) => placeInPicture(camera, [x!, y!, 0])!) as unknown as BedCorners

/** Cameras as printers have them, and some that they do not: position, target and focal length. */
const CAMERAS: readonly (readonly [name: string, position: Point3, target: Point3, focalPx: number])[] = [
  ['front left corner, high', [-60, -90, 260], [140, 140, 0], 700],
  ['front left corner, low', [-120, -160, 110], [150, 150, 0], 620],
  ['in front', [128, -220, 200], [128, 128, 0], 900],
  ['beside it, long lens', [700, 80, 300], [128, 128, 0], 2_400]
]

t.test('a place is seen where the camera looks, right is right and up is up', async t => {
  const camera = pinholeCamera({ position: [0, -100, 0], target: [0, 0, 0], focalPx: 500 }, SIZE)
  t.ok(near(placeInPicture(camera, [0, 0, 0]), [640, 360]))
  t.ok(near(placeInPicture(camera, [10, 0, 20]), [690, 260]), '10 mm at 100 mm are 50 px')
  t.equal(placeInPicture(camera, [0, -101, 0]), undefined, 'behind the camera')
  const down = pinholeCamera({ position: [50, 50, 200], target: [50, 50, 0], focalPx: 400 }, SIZE)
  t.ok(near(placeInPicture(down, [60, 70, 0]), [660, 320]), 'from above the rear of the bed is up')
  t.ok(near(positionOf(down), [50, 50, 200]))
  t.equal(positionOf({ projection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1] }), undefined, 'no pinhole')
})

t.test('a bed that moves, and a picture of another size', async t => {
  const camera = pinholeCamera({ position: [-60, -90, 260], target: [140, 140, 0], focalPx: 700 }, SIZE)
  const sunk = withMovedBed(camera, [0, 30, -12])
  t.ok(near(placeInPicture(sunk, [100, 100, 12]), placeInPicture(camera, [100, 130, 0])!))
  const half = resizedCamera(camera, { width: 640, height: 360 })
  const [x, y] = placeInPicture(camera, [200, 40, 15])!
  t.ok(near(placeInPicture(half, [200, 40, 15]), [x / 2, y / 2]))
})

t.test('the corners of the bed give the camera, below a thousandth of a pixel', async t => {
  for (const [name, position, target, focalPx] of CAMERAS) {
    const camera = pinholeCamera({ position, target, focalPx }, SIZE)
    for (const known of [focalPx, undefined]) {
      const found = poseFromBedCorners(cornersOf(camera, BED), BED, SIZE, known)
      t.ok(found, name)
      t.ok(near(found?.position, position, 1e-3), `${name}: ${found?.position.join(' ')}`)
      t.ok(Math.abs(found!.focalPx - focalPx) < 1e-3 && found!.misfit < 1e-9, `${name}: ${found!.focalPx}`)
      for (const place of [[0, 0, 0], [200, 30, 80], [128, 128, 150], [20, 240, 5]] as const) {
        t.ok(near(placeInPicture(found!.camera, place), placeInPicture(camera, place)!, 1e-3), `${name}: ${place.join(' ')}`)
      }
    }
  }
})

t.test('corners that are off by a pixel move the top of a part by little if the lens is known', async t => {
  for (const [name, position, target, focalPx] of CAMERAS) {
    const camera = pinholeCamera({ position, target, focalPx }, SIZE)
    const off = cornersOf(camera, BED).map(([x, y], at) => [x + (at % 2 === 0 ? 1 : -1), y + (at < 2 ? -1 : 1)])
    const found = poseFromBedCorners(off as unknown as BedCorners, BED, SIZE, focalPx)!
    t.ok(near(placeInPicture(found.camera, [128, 128, 50]), placeInPicture(camera, [128, 128, 50])!, 4), name)
    t.ok(found.misfit > 1e-4 && found.misfit < 0.05, `${name}: ${found.misfit}`)
  }
})

t.test('from straight above the lens must be given, as no corner shows it', async t => {
  const above = pinholeCamera({ position: [128, 128, 500], target: [128, 128, 0], focalPx: 600 }, SIZE)
  t.equal(poseFromBedCorners(cornersOf(above, BED), BED, SIZE), undefined)
  t.ok(near(poseFromBedCorners(cornersOf(above, BED), BED, SIZE, 600)?.position, [128, 128, 500], 1e-3))
})

t.test('corners that no camera above the bed sees so are refused', async t => {
  const [, position, target, focalPx] = CAMERAS[0]!
  const [a, b, c, d] = cornersOf(pinholeCamera({ position, target, focalPx }, SIZE), BED)
  t.equal(poseFromBedCorners([b, a, d, c], BED, SIZE, focalPx), undefined, 'a mirrored order')
  t.equal(poseFromBedCorners([a, c, b, d], BED, SIZE, focalPx), undefined, 'a crossed order')
  t.equal(poseFromBedCorners([a, a, a, a], BED, SIZE, focalPx), undefined, 'one place')
  t.equal(poseFromBedCorners([a, b, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], d], BED, SIZE, focalPx), undefined, 'a line')
})
