import t from 'tap'
import { ContinuousVideo } from '../../../../plugins/camera/video/continuous-video.js'
import type { AccessUnit, VideoFormat } from '../../../../plugins/camera/video/types.js'

const format = (set: number): VideoFormat =>
  ({ width: 64, height: 64, codec: 'avc1.42c00a', sps: Buffer.from([103, set]), pps: [Buffer.from([104])] })
const unit = (time: number, at: number, set = 1): AccessUnit =>
  ({ seq: 1, key: true, nalus: [], format: format(set), time, at })

t.test('time begins at 0 and goes on over reconnections by the time that passed', t => {
  const video = new ContinuousVideo()
  const first = video.begin()
  t.same([first(unit(5_000, 1_000)), first(unit(8_000, 1_033))].map(({ time }) => time), [0, 3_000])
  const second = video.begin()
  t.same([second(unit(70, 2_033)), second(unit(3_070, 2_066))].map(({ time }) => time), [93_000, 96_000])
  const third = video.begin()
  t.equal(third(unit(9, 1_500)).time, 96_001, 'a clock that went back leads to no time twice')
  t.end()
})

t.test('equal formats are the same object, other ones are not', t => {
  const video = new ContinuousVideo()
  const { format: first } = video.begin()(unit(0, 0))
  const continued = video.begin()
  t.equal(continued(unit(0, 10)).format, first)
  t.not(continued(unit(1, 20, 2)).format, first)
  t.same(continued(unit(2, 30, 2)).format, format(2))
  t.end()
})
