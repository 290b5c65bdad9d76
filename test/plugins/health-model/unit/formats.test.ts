import t from 'tap'
import { describeModel, type ModelOverrides } from '../../../../plugins/health-model/describe-model.js'
import { findings, understood } from '../../../../plugins/health-model/describe-words.js'
import { inPicture, viewsOf } from '../../../../plugins/health-model/fit-picture.js'
import { fromHalves, toHalves } from '../../../../plugins/health-model/runtime/tensors.js'
import { namesIn, statedIn } from '../../../../plugins/health-model/stated.js'
import { suppressed } from '../../../../plugins/health-model/read-boxes.js'
import { joinReadings, readOutputs } from '../../../../plugins/health-model/read-outputs.js'
import type { Model } from '../../../../plugins/health-model/types.js'

const FACTS = { sha256: 'a'.repeat(64), bytes: 1, source: 'x', addedAt: '2026-01-01T00:00:00Z', licence: undefined }
const TWO = { names: "{0: 'spaghetti', 1: 'part'}", imgsz: '[640, 640]', stride: '32', task: 'detect' }
const describe = (answer: number[][], overrides: ModelOverrides = {}, metadata: Record<string, string> = {},
  input: (number | string)[] = [1, 3, 640, 640]): Model =>
  describeModel('net.onnx', { ...FACTS, metadata }, {
    inputs: [{ name: 'images', dims: input }],
    outputs: answer.map((dims, at) => ({ name: `output${at}`, dims }))
  }, overrides)
const box = { left: 0.5, top: 0.5, right: 0.75, bottom: 0.75, score: 0.9, label: 'spaghetti' }

t.test('a wide picture is seen whole, in one input or in tiles, and boxes come back to the pixel', async t => {
  const [picture, input] = [{ width: 1_920, height: 1_080 }, { width: 640, height: 640 }]
  const placed = (fit: Model['fit']) => viewsOf(fit, picture, input).map(view => inPicture([box], view, picture, input)
    .map(({ left, top, right, bottom }) => [left * 1_920, top * 1_080, right * 1_920, bottom * 1_080].map(Math.round)))
  t.same(placed('stretch'), [[[960, 540, 1_440, 810]]])
  t.same(placed('letterbox'), [[[960, 540, 1_440, 1_020]]])
  t.same(placed('crop'), [[[960, 540, 1_230, 810]]])
  t.same(placed('centre'), [[[961, 541, 1_197, 777]]])
  t.same(placed('tiles'), [[[540, 540, 810, 810]], [[1_380, 540, 1_650, 810]]])
  const [bars] = viewsOf('letterbox', picture, input)
  t.same(bars, { cut: { left: 0, top: 0, ...picture }, size: { width: 640, height: 360 }, at: { left: 0, top: 140 } })
  t.same(inPicture([{ ...box, top: 0, bottom: 0.2 }], bars!, picture, input), [], 'nothing is found in the bars')
  t.equal(viewsOf('tiles', { width: 9_000, height: 10 }, input).length, 6)
})

t.test('what two tiles see of one thing counts once, and the worst tile of a classifier counts', async t => {
  const half = { ...box, left: 0.6, right: 0.66, score: 0.5 }
  t.equal(suppressed([box, half]).length, 2)
  t.equal(suppressed([box, half], true).length, 1)
  const model = describe([[1, 6, 8_400]], {}, TWO)
  const joined = joinReadings(model, [{ value: 0.9, boxes: [box] }, { value: 0.5, boxes: [half, { ...half, label: 'part' }] }])
  t.equal(joined.value, 0.9, 'parts are no failures')
  t.equal(joinReadings({ ...model, kind: 'classifier' }, [{ value: 0, boxes: [] }, { value: 0.7, boxes: [] }]).value, 0.7)
})

t.test('exports are recognised by shape and by what they state', async t => {
  const formatOf = (answer: number[][], metadata = {}, overrides = {}) => describe(answer, overrides, metadata).boxes
  const one = { ...TWO, names: "{0: 'spaghetti'}" }
  t.equal(formatOf([[1, 6, 8_400]], TWO), 'yolov8')
  t.equal(formatOf([[1, 5, 8_400]], one), 'yolov8')
  t.equal(formatOf([[1, 38, 8_400], [1, 32, 160, 160]], TWO), 'yolov8', 'with masks')
  t.equal(formatOf([[1, 25_200, 7]], TWO), 'yolov5')
  t.equal(formatOf([[1, 25_200, 6]], one), 'yolov5', 'one label')
  t.equal(formatOf([[1, 300, 6]], one), 'final')
  t.equal(formatOf([[1, 0, 6]], { ...TWO, args: "{'batch': 1, 'nms': True}" }), 'final')
  t.equal(formatOf([[1, 300, 6]], {}, { labels: ['spaghetti'], boxes: 'yolov5' }), 'yolov5', 'or as it is told')
  const model = describe([[1, 6, 8_400]], {}, TWO, ['batch', 3, 'height', 'width'])
  t.match(model, { width: 640, height: 640, fit: 'letterbox', threshold: 0.25, mean: [0, 0, 0], std: [1, 1, 1] })
  t.match(describe([[1, 2]], { labels: ['good', 'bad'] }, {}, [1, 224, 224, 3]), { layout: 'nhwc', fit: 'tiles', width: 224 })
  t.match(describe([[1, 2]], {}, { ...TWO, task: 'classify' }), { kind: 'classifier', mean: [0, 0, 0], failing: ['spaghetti'] })
})

t.test('a wrong claim is refused with the shape that was seen', async t => {
  const labels = ['good', 'spaghetti']
  t.throws(() => describe([[1, 84, 8_400]], { labels }), /2 labels are named.*network has 80.*'output0' of 1 x 84 x 8400/)
  t.throws(() => describe([[1, 84, 8_400]]), /Name the 80 classes.*1 x 84 x 8400/)
  t.throws(() => describe([[1, 2]], { labels, kind: 'detection' }), /no detection of a known format.*'output0' of 1 x 2/)
  t.throws(() => describe([[1, 300, 6]], { labels, boxes: 'yolov8' }), /is not yolov8.*1 x 300 x 6/)
  t.throws(() => describe([[1, 3]], { labels }), /2 labels.*has 3/)
  t.throws(() => describe([[1, 255, 20, 20], [1, 255, 40, 40]], { labels }), /neither boxes nor labels.*1 x 255 x 20 x 20/)
  t.throws(() => describe([[1, 6, 8_400]], {}, { ...TWO, task: 'pose' }), /'pose'/)
  t.throws(() => describe([[1, 6, 8_400]], {}, TWO, [1, 1, 28, 28]), /takes 'images' of 1 x 1 x 28 x 28/)
  t.throws(() => describe([[1, 6, 8_400]], { size: { width: 320, height: 320 } }, TWO), /640 x 640 pixels and no other/)
  const model = describe([[1, 300, 6]], {}, TWO)
  const answer = (dims: number[], data: number[]) => readOutputs(model, [{ name: 'output0', dims, data: Float32Array.from(data) }])
  t.throws(() => answer([1, 1, 6], [0, 0, 9, 9, 0.9, 7]), /label 7, and 2 labels/)
  t.throws(() => answer([1, 1, 7], [0, 0, 9, 9, 0.9, 0, 0]), /1 x 1 x 7/)
  t.throws(() => answer([1, 1, 6], [0, 0, 9, 9, NaN, 0]), /no number/, 'a number too large for 16 bits is not silence')
  const { boxes } = answer([1, 2, 6], [64, 128, 320, 640, 0.9, 0, 0, 0, 0, 0, 0, 0])
  t.match(boxes, [{ left: 0.1, top: 0.2, right: 0.5, bottom: 1 }])
})

t.test('names are read as Python and JSON write them', async t => {
  t.same(namesIn('{0: \'spaghetti\', 1: "layer\'s shift", 2: \'a, b: c\'}'), ['spaghetti', "layer's shift", 'a, b: c'])
  t.same(namesIn('{"0": "good", "1": "bad"}'), ['good', 'bad'])
  t.same(namesIn("['good', 'bad']"), ['good', 'bad'])
  t.equal(namesIn("{1: 'gap'}"), undefined)
  t.match(statedIn({ imgsz: '[384, 640]', end2end: 'True' }), { size: { width: 640, height: 384 }, isFinal: true })
})

t.test('normalisation is kept for channels of 0 to 1, however it was given', async t => {
  const of = (overrides: ModelOverrides) => {
    const { mean, std } = describe([[1, 2]], { labels: ['good', 'bad'], ...overrides })
    return [mean[0], std[0]]
  }
  t.same(of({}), [0.485, 0.229])
  t.same(of({ scale: '0..1' }), [0, 1])
  t.same(of({ scale: '0..255' }), [0, 1 / 255])
  t.same(of({ scale: '0..255', mean: [127.5], std: [127.5] }), [0.5, 0.5])
  t.throws(() => of({ mean: [127.5] }), /--scale 0\.\.255/)
  t.throws(() => of({ std: [0] }), /above 0/)
  t.throws(() => of({ std: [1, 2] }), /one number or three/)
})

t.test('numbers of 16 bits are those of 32 bits, as near as they can be', async t => {
  const numbers = [0, 1, -2.5, 0.1, 65_504, 1e-7, 640, 0.99999]
  const back = fromHalves(toHalves(Float32Array.from(numbers)))
  numbers.forEach((number, at) => t.ok(Math.abs(number - back[at]!) <= Math.abs(number) / 2_000 + 1e-7, `${number} ${back[at]}`))
  t.same([...toHalves(Float32Array.from([1, -2, 0.5, 65_504]))], [0x3C00, 0xC000, 0x3800, 0x7BFF])
  t.ok(Number.isNaN(fromHalves(toHalves(Float32Array.of(NaN)))[0]))
})

t.test('what was understood is said in words, also when nothing is found', async t => {
  const model = describe([[1, 6, 8_400]], {}, TWO)
  t.same(understood(model), [
    'kind:     detection, a column for each box (as YOLOv8 and later), from certainty 0.25 on',
    'input:    640 x 640, channels first, colours of 0..1',
    'sees:     the whole picture, with grey bars',
    'labels:   spaghetti, part; failures: spaghetti'
  ])
  t.match(understood({ ...model, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] })[1], /colours of -1\.\.1/)
  const size = { width: 1_920, height: 1_080 }
  t.match(findings(model, { value: 0, boxes: [] }, size), [/^clean: value 0\.000.*nothing was found/])
  t.match(findings(model, { value: 0.9, boxes: [box, { ...box, label: 'part' }] }, size),
    [/^critical: value 0\.900/, 'spaghetti 90 %: 480 x 270 pixels at 960, 540', /^part 90 % \(no failure\)/])
})
