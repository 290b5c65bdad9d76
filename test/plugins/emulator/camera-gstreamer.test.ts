import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { createIdentity, type CameraOptions } from '../../../plugins/emulator/index.js'
import { pythonThatRuns } from '../../helpers/programs.js'
import { CODE, X1_SERIAL } from '../camera/helpers/boot.js'
import { start } from './camera-viewer.js'

// Another client and another decoder than ffmpeg's.

const PROBE = `
import gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst
Gst.init(None)
assert all(Gst.ElementFactory.find(name) for name in ('rtspsrc', 'rtph264depay', 'h264parse', 'openh264dec'))
`
const PLAY = `${PROBE}
import sys
pipeline = Gst.parse_launch(sys.argv[1])
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
print(message and (message.parse_error() if message.type == Gst.MessageType.ERROR else message.type.first_value_nick))
pipeline.set_state(Gst.State.NULL)
`

const python = pythonThatRuns(PROBE)
const options = python === undefined ? { skip: 'no GStreamer with RTSP client and openh264 for Python' } : {}

const HABITS: readonly CameraOptions[] = [
  {}, { ffmpeg: false }, { parameterSets: 'sdp' }, { parameterSets: 'in-band' }, { begins: 'midway' },
  { timestamps: 'frozen' }, { auth: 'basic' }, { aliveBy: ['OPTIONS'] }
]

t.test('GStreamer plays every habit', options, async t => {
  const identity = await createIdentity(X1_SERIAL)
  await Promise.all(HABITS.map(async habit => {
    const camera = { width: 320, height: 180, ...habit }
    const { ports } = await start(t, { model: 'X1C', serial: X1_SERIAL, accessCode: CODE, identity, camera })
    const source = `rtspsrc location=rtsps://127.0.0.1:${ports.rtsps}/streaming/live/1 user-id=bblp user-pw=${CODE} ` +
      'protocols=tcp tls-validation-flags=0 latency=0'
    const { stdout } = await promisify(execFile)(python ?? '',
      ['-c', PLAY, `${source} ! rtph264depay ! h264parse ! openh264dec ! fakesink num-buffers=40`])
    t.equal(stdout.trim(), 'eos', JSON.stringify(habit))
  }))
})
