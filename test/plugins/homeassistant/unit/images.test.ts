import t from 'tap'
import { createImages, type ImagesOptions } from '../../../../plugins/homeassistant/images.js'
import { topicsOf } from '../../../../plugins/homeassistant/topics.js'
import { eventually } from '../../../helpers/eventually.js'

const topics = topicsOf({ discoveryPrefix: 'homeassistant', topicPrefix: 'prnd' })
const printing = (gcodeState: string) =>
  ({ name: 'p', config: { serial: 'S1' }, state: { job: { gcodeState } } }) as never

function studio (options: Partial<ImagesOptions>) {
  let now = 0
  const sent: string[] = []
  const taken: number[] = []
  const images = createImages({
    camera: {
      protocol: () => 'tcp_tls',
      async latestFrame (_session, { maxAgeMs }) {
        taken.push(maxAgeMs)
        return { seq: 1, jpeg: Buffer.from('jpeg'), width: 1, height: 1, capturedAt: now }
      }
    },
    imageOnAlert: false,
    imageSeconds: 0,
    now: () => now,
    signal: new AbortController().signal,
    log: { debug () {} },
    topics,
    retained: { putImage: async (topic, jpeg) => { sent.push(`${topic} ${jpeg.toString()}`) } },
    ...options
  })
  return { images, sent, taken, pass: (seconds: number) => { now += seconds * 1000 } }
}

t.test('a picture a minute, and only while printing', async t => {
  const { images, sent, pass } = studio({ imageSeconds: 60 })
  const session = printing('RUNNING')
  images.tick(printing('IDLE'))
  images.tick(session)
  await eventually(() => sent.length === 1)
  t.same(sent, ['prnd/S1/image jpeg'])
  pass(59)
  images.tick(session)
  pass(1)
  images.tick(session)
  await eventually(() => sent.length === 2)
  await new Promise(resolve => setImmediate(resolve))
  t.equal(sent.length, 2)
})

t.test('a picture for alerts that can be seen, one at a time, and none unless wanted', async t => {
  const { images, sent, taken } = studio({ imageOnAlert: true })
  const session = printing('RUNNING')
  for (const type of ['stage_change', 'job_paused', 'hms_error_new']) images.onAlert(session, type)
  images.tick(session)
  await eventually(() => sent.length === 1)
  t.equal(taken.length, 1)
  const none = studio({})
  none.images.onAlert(session, 'job_paused')
  none.images.tick(session)
  t.equal(none.taken.length, 0)
})

t.test('a camera that fails or is not there hinders nothing', async t => {
  let asked = 0
  const failing = studio({
    imageOnAlert: true,
    camera: { protocol: () => 'rtsps', latestFrame: async () => { asked++; throw new Error('dark') } }
  })
  const session = printing('RUNNING')
  failing.images.onAlert(session, 'job_paused')
  await eventually(() => {
    failing.images.onAlert(session, 'job_paused')
    return asked > 1
  })
  t.same(failing.sent, [])
  const latestFrame = async () => { throw new Error('none') }
  const without = studio({ imageOnAlert: true, camera: { protocol: () => undefined, latestFrame } })
  t.equal(without.images.has(session), false)
})
