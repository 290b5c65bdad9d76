import t from 'tap'
import { builtIn } from '../../../../plugins/health-model/built-in.js'
import { inputSizeOf, viewsOf } from '../../../../plugins/health-model/fit-picture.js'
import { readOutputs } from '../../../../plugins/health-model/read-outputs.js'

const { model } = builtIn()
const failure = (share: number) => ({ name: 'failure', dims: [1, 1], data: Float32Array.of(share) })
const map = (rows: number, columns: number, values: Readonly<Record<number, number>>) => {
  const data = new Float32Array(rows * columns)
  for (const [cell, value] of Object.entries(values)) data[Number(cell)] = value
  return { name: 'map', dims: [1, 1, rows, columns], data }
}

t.test('cells of a map that touch each other are one box, with the highest certainty', async t => {
  const certainties = map(4, 5, { 0: 0.49, 6: 0.5, 7: 0.75, 12: 0.625, 19: 1 })
  const { value, boxes } = readOutputs(model, [failure(0.875), certainties])
  t.equal(value, 0.75)
  t.strictSame(boxes, [
    { left: 0.2, top: 0.25, right: 0.6, bottom: 0.75, score: 0.75, label: 'failure' },
    { left: 0.8, top: 0.75, right: 1, bottom: 1, score: 1, label: 'failure' }
  ])
})

t.test('cells at both ends of neighbouring rows do not touch', async t => {
  t.equal(readOutputs(model, [failure(0.5), map(2, 4, { 3: 0.75, 4: 0.75 })]).boxes.length, 2)
})

t.test('without a map, and with one of other dimensions, there are no boxes', async t => {
  t.strictSame(readOutputs(model, [failure(1)]), { value: 1, boxes: [] })
  t.strictSame(readOutputs(model, [failure(1), { ...map(2, 2, { 0: 1 }), dims: [1, 1, 2, 3] }]).boxes, [])
})

t.test('a whole picture has about as many pixels as the network is meant for, and is never enlarged', async t => {
  const sizeOf = (width: number, height: number) => inputSizeOf('whole', { width, height }, model)
  t.strictSame(sizeOf(1280, 720), { width: 544, height: 320 })
  t.strictSame(sizeOf(1000, 1000), { width: 416, height: 416 })
  t.strictSame(sizeOf(300, 200), { width: 304, height: 208 })
  t.strictSame(sizeOf(20, 20), { width: 80, height: 80 })
  const [view] = viewsOf('whole', { width: 1280, height: 720 }, model)
  t.strictSame(view, {
    cut: { left: 0, top: 0, width: 1280, height: 720 },
    size: { width: 542, height: 305 },
    at: { left: 0, top: 0 }
  })
})
