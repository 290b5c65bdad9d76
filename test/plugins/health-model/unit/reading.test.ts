import t from 'tap'
import { describeModel } from '../../../../plugins/health-model/describe-model.js'
import { licenceIn, onnxFacts } from '../../../../plugins/health-model/onnx-file.js'
import { suppressed } from '../../../../plugins/health-model/read-boxes.js'
import { readOutputs } from '../../../../plugins/health-model/read-outputs.js'
import { scoreOf } from '../../../../plugins/health-model/index.js'
import { certaintyAlone, certaintyOf, NEW_COURSE, smooth, startJob, type Course } from '../../../../plugins/health-model/smoothing.js'
import type { Model } from '../../../../plugins/health-model/types.js'
import { detectionNetwork, networkOf, node, outsideWeights } from '../onnx-builder.js'

const FACTS = { sha256: 'a'.repeat(64), bytes: 1, source: 'x', addedAt: '2026-01-01T00:00:00Z', licence: undefined }
const shapes = (...dims: number[][]) => dims.map((one, at) => ({ name: `o${at}`, dims: one }))
const PICTURE = { inputs: [{ name: 'picture', dims: [1, 3, 416, 416] }] }
const DETECTION = describeModel('obico.onnx', FACTS, { ...PICTURE, outputs: shapes([1, 4, 1, 4], [1, 4, 1]) }, {})
const tensor = (dims: number[], data: number[]) => ({ name: 'o', dims, data: Float32Array.from(data) })

t.test('of boxes at one place the surest stays, faint ones do not count, and the rest adds up', async t => {
  const boxes = tensor([1, 4, 1, 4], [0, 0, 0.5, 0.5, 0.02, 0, 0.5, 0.5, 0.6, 0.6, 0.9, 0.9, 0.1, 0.6, 0.2, 0.9])
  const found = readOutputs(DETECTION, [boxes, tensor([1, 4, 1], [0.4, 0.5, 0.2, 0.07])])
  t.same(found.boxes.map(({ score }) => Math.round(score * 100)), [50, 20])
  t.ok(Math.abs(found.value - 0.7) < 1e-6)
  const [box] = found.boxes
  t.equal(suppressed([{ ...box!, label: 'a' }, { ...box!, label: 'b' }]).length, 2, 'things of two kinds may share a place')
})

t.test('an answer that does not fit is an error, not a verdict', async t => {
  t.throws(() => readOutputs(DETECTION, [tensor([1, 2], [0, 1])]), /does not fit/)
  t.throws(() => readOutputs(DETECTION, [tensor([1, 3, 1, 4], Array(12).fill(0)), tensor([1, 4, 1], [1, 1, 1, 1])]), /does not fit/)
  const classifier: Model = { ...DETECTION, kind: 'classifier', labels: ['good', 'spaghetti'], failing: ['spaghetti'] }
  t.throws(() => readOutputs(classifier, [tensor([1, 2], [NaN, 0])]), /no number/)
  t.throws(() => readOutputs(classifier, [tensor([1, 3], [1, 2, 3])]), /3 numbers for 2 labels/)
})

t.test('a classifier of one label gives a probability, or a number for the sigmoid', async t => {
  const one = describeModel('one.onnx', FACTS, { ...PICTURE, outputs: shapes([1, 1]) }, {})
  t.match(one, { kind: 'classifier', labels: ['failure'], failing: ['failure'] })
  const value = (number: number) => Math.round(readOutputs(one, [tensor([1, 1], [number])]).value * 100) / 100
  t.same([0, 0.5, 0.75, 1].map(value), [0, 0, 0.5, 1])
  t.same([-4, 4, 60].map(value), [0, 0.96, 1])
  t.throws(() => value(NaN), /no number/)
})

t.test('a classifier and an embedding count from undecided on', async t => {
  const classifier: Model = { ...DETECTION, kind: 'classifier', labels: ['good', 'spaghetti'], failing: ['spaghetti'] }
  const sure = (values: number[]) => readOutputs(classifier, [tensor([1, 2], values)]).value
  t.equal(sure([0.5, 0.5]), 0)
  t.ok(Math.abs(sure([0.25, 0.75]) - 0.5) < 1e-6)
  t.ok(sure([-3, 3]) > 0.98, 'logits too')
  t.equal(sure([3, -3]), 0)
  const prototypes = { success: [0, 0, 0], failure: [3, 0, 0] }
  const embedding: Model = { ...DETECTION, kind: 'embedding', labels: ['success', 'failure'], failing: ['failure'], prototypes }
  const like = (values: number[]) => readOutputs(embedding, [tensor([1, 3], values)]).value
  t.equal(like([0, 0, 0]), 0)
  t.equal(like([1.5, 0, 0]), 0)
  t.ok(like([3, 0, 0]) > 0.9)
  t.throws(() => like([1, 2]), /an embedding of 2 numbers/)
})

const after = (course: Course, value: number, times: number, apartS = 60): Course =>
  Array.from({ length: times }).reduce<Course>(one => smooth(one, value, apartS), course)

t.test("steps of ten seconds are the average of Obico's server", async t => {
  let course = NEW_COURSE
  let recent = 0
  for (const value of [0.1, 0.9, 0.4, 0, 1.3, 0.2]) {
    course = smooth(course, value, 10)
    recent = value * 2 / 13 + recent * (1 - 2 / 13)
    t.ok(Math.abs(course.recent - recent) < 1e-9, `${course.recent} ${recent}`)
  }
})

/** Jobs of three hours that look like this all through. */
const jobs = (value: number, count: number): Course =>
  Array.from({ length: count }).reduce<Course>(course => startJob(after(course, value, 180)), NEW_COURSE)

t.test('a failure is warned about within three looks, whenever it begins, and stays', async t => {
  const before = { 'a new camera': NEW_COURSE, 'ten good jobs': jobs(0.02, 10), 'a failed job': jobs(0.95, 1) }
  for (const [name, course] of Object.entries(before)) {
    for (const minutes of [0, 3, 30, 120, 500]) {
      for (const value of [0.6, 0.8, 1]) {
        const good = after(course, 0.02, minutes)
        t.ok(certaintyOf(good) < 1 / 3, `${name}: quiet for ${minutes} min`)
        let failing = good
        for (let look = 1; look <= 600; look++) {
          failing = smooth(failing, value, 60)
          if (look >= 3 && certaintyOf(failing) < 1 / 3) t.fail(`${name}: ${value} after ${minutes} min, look ${look}`)
        }
        t.ok(certaintyOf(after(failing, 0.02, 5)) < 1 / 3, 'and ends when it is gone')
      }
    }
  }
  t.ok(certaintyOf(after(NEW_COURSE, 1, 600)) >= 2 / 3, 'a failure in the first picture becomes critical')
  t.ok(certaintyOf(after(NEW_COURSE, 3, 3)) < 2 / 3, 'but the first minutes of a job only warn')
})

t.test('what shows all through several jobs is no failure, but never hides a certain one', async t => {
  t.ok(certaintyOf(after(jobs(0.6, 2), 0.6, 20)) >= 1 / 3, 'two jobs are no proof')
  const used = jobs(0.6, 6)
  t.ok(certaintyOf(after(used, 0.6, 20)) < 1 / 3, 'a thing that is always taken for a failure')
  t.ok(certaintyOf(after(used, 2, 20)) >= 2 / 3, 'and a failure beside it')
  t.ok(certaintyOf(after(jobs(1, 100), 1, 20)) >= 1 / 3, 'a certain network always warns')
  const failedLate = startJob(after(after(NEW_COURSE, 0.02, 60), 0.9, 600))
  t.ok(failedLate.long < 0.03, 'a failure that began in the middle teaches nothing')
  t.equal(startJob(after(NEW_COURSE, 0.9, 3)).long, 0, 'nor does a job of a few minutes')
})

t.test('a picture alone is judged', async t => {
  t.ok(certaintyAlone(0.9) >= 2 / 3)
  t.equal(certaintyAlone(0), 0)
})

t.test('thirds are the thresholds of the monitor', async t => {
  t.same([0, 1 / 3, 2 / 3, 1].map(value => Math.round(scoreOf(value) * 100)), [0, 38, 78, 100])
})

t.test('what a file says of itself is read, and what is no network is refused', async t => {
  t.equal(licenceIn(onnxFacts(detectionNetwork({ license: 'AGPL-3.0' }))), 'AGPL-3.0')
  t.equal(licenceIn(onnxFacts(detectionNetwork())), undefined)
  t.throws(() => onnxFacts(Buffer.from('<html>not found</html>')), /ONNX/)
  t.throws(() => onnxFacts(detectionNetwork().subarray(0, 300)), /ONNX/)
  const outside = networkOf({
    input: [1, 3, 32, 32],
    outputs: { sum: [1, 3, 32, 32] },
    parts: [outsideWeights('other', '../../../secrets/printers.json'), node('Add', ['picture', 'other'], 'sum')]
  })
  t.throws(() => onnxFacts(outside), /must be in one file/)
  t.throws(() => describeModel('x.onnx', FACTS, { ...PICTURE, outputs: shapes([1, 5]) }, {}), /--labels/)
  t.throws(() => describeModel('x.onnx', FACTS, { ...PICTURE, outputs: shapes([1, 2]) }, { labels: ['a', 'b'] }), /--failing/)
  t.match(describeModel('dir/My Net.onnx?x=1', FACTS, { ...PICTURE, outputs: shapes([1, 2]) }, { labels: ['good', 'spaghetti'] }),
    { name: 'my-net', kind: 'classifier', failing: ['spaghetti'], licence: /not stated/ })
})
