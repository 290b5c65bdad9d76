// Positions of objects in the picture of a plate from above. Pure.

const SIDE_PX = 512

/** The wipe tower is listed like an object, but cannot be skipped. @param {{ name?: string }} box */
const isObject = ({ name = '' }) => !name.toLowerCase().includes('wipe_tower')

/**
 * The picture is centred on the bed, which fills it in one direction; positions on the bed are measured from its front
 * left corner.
 * @param {readonly any[]} objects `{ id, name, val: [xMin, yMin, xMax, yMax] }`, mm
 * @param {readonly number[]} bed width and depth, mm
 * @returns boxes of objects that can be skipped, larger ones first, so that smaller ones are drawn above them
 */
export function platesBoxes (objects, [width, depth]) {
  const scale = SIDE_PX / Math.max(width, depth)
  const left = (SIDE_PX - width * scale) / 2
  const below = (SIDE_PX - depth * scale) / 2
  const boxes = objects.filter(isObject).map(({ id, name, val = [0, 0, 0, 0] }, at) => {
    const [xMin, yMin, xMax, yMax] = val
    return {
      id,
      name,
      number: at + 1,
      x: left + xMin * scale,
      y: SIDE_PX - below - yMax * scale,
      width: (xMax - xMin) * scale,
      height: (yMax - yMin) * scale
    }
  })
  return boxes.sort((a, b) => b.width * b.height - a.width * a.height)
}
