import type { TLSSocket } from 'node:tls'
import t from 'tap'
import type { Test } from 'tap'
import { eventually } from '../../../helpers/eventually.js'
import { CODE } from '../helpers/boot.js'
import { createRtpSource, interleaved, key, PPS, slice, SPS } from '../helpers/h264.js'
import {
  described, OK, picturesOf, proves, SDP, showing, startScriptedCamera, type RtspScript, type ScriptedCamera,
  type ScriptedReply, type ScriptedRequest
} from '../helpers/rtsp-camera.js'
import { watchVideo } from '../helpers/watch-video.js'

// What cameras of one firmware or another do, and all of it is video.

t.test('the dialogue of a usual camera', async t => {
  const camera = await startScriptedCamera(t)
  const video = watchVideo(t, camera.port)
  await eventually(() => video.units.length > 35)
  t.match(await video.stop(), { message: 'enough' })
  await eventually(() => camera.open === 0)
  t.same(camera.methods, ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN'])
  const url = `rtsps://127.0.0.1:${camera.port}/streaming/live/1`
  t.same(camera.requests.map(({ uri }) => uri), [url, url, `${url}/track1`, `${url}/`, `${url}/`])
  t.match(camera.requests[1]?.text, 'Accept: application/sdp')
  t.match(camera.requests[2]?.text, 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1')
  const sessions = camera.requests.map(({ text }) => /Session: (.*)/.exec(text)?.[1])
  t.same(sessions, [undefined, undefined, undefined, '12AB', '12AB'])
  t.same(camera.requests.map(({ sequence }) => sequence), ['1', '2', '3', '4', '5'])
  t.notOk(camera.requests.some(({ text }) => text.includes(CODE) || text.includes('Authorization')))
  t.match(video.units[0], { key: true, seq: 1, format: { width: 1920, height: 1080 } })
})

/** Plays against a camera until pictures come, and lets go of it. */
async function plays (t: Test, what: string, script: RtspScript): Promise<ScriptedCamera> {
  const camera = await startScriptedCamera(t, script)
  const video = watchVideo(t, camera.port)
  const shows = eventually(() => video.units.length > 3)
  const words = await Promise.race([video.ended.then(({ message }) => message), shows])
  t.equal(words, undefined, what)
  t.match(await video.stop(), { message: 'enough' }, what)
  await camera.close()
  return camera
}

const UNAUTHORIZED = 'RTSP/1.0 401 Unauthorized'
const ask = (nonce: string, more = ''): string[] => [UNAUTHORIZED, `WWW-Authenticate: Digest realm="cam", nonce="${nonce}"${more}`]

/** Lets requests pass that prove the code for the nonce of the moment. */
function guarded (methods: readonly string[], nonceOf: (request: ScriptedRequest) => string, qop = false): RtspScript {
  const usual: Record<string, ScriptedReply> = {
    OPTIONS: [OK, 'Public: GET_PARAMETER'],
    DESCRIBE: described(SDP),
    SETUP: [OK, 'Session: 1']
  }
  return {
    replies: Object.fromEntries(methods.map(method => [method, request => {
      const nonce = nonceOf(request)
      return proves(request, { nonce, qop }) ? usual[method] ?? [OK] : ask(nonce, qop ? ', qop="auth", opaque="x"' : '')
    }]))
  }
}

const ALL = ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN']

t.test('the access code by every scheme and with every habit', async t => {
  const scripts: Record<string, RtspScript> = {
    'asked for DESCRIBE only': guarded(['DESCRIBE'], () => 'n'),
    'asked for all': guarded(ALL, () => 'n'),
    'with protection against repeats': guarded(ALL, () => 'n', true),
    'another nonce for each method': guarded(ALL, ({ method }) => method),
    'a nonce that grows old': {
      replies: {
        DESCRIBE: request => request.count < 2
          ? ask(`n${request.count}`, request.count > 0 ? ', stale=true' : '')
          : proves(request, { nonce: 'n1' }) ? described(SDP) : ask('n9')
      }
    },
    basic: {
      replies: {
        DESCRIBE: ({ text }) => text.includes(`Authorization: Basic ${Buffer.from(`bblp:${CODE}`).toString('base64')}`)
          ? described(SDP)
          : [UNAUTHORIZED, 'WWW-Authenticate: Basic realm="cam"']
      }
    }
  }
  for (const [what, script] of Object.entries(scripts)) {
    const camera = await plays(t, what, script)
    t.ok(camera.methods.length <= 10, camera.methods.join())
  }
})

t.test('proofs are counted for a camera that wants them counted', async t => {
  const camera = await plays(t, 'counted', guarded(ALL, () => 'n', true))
  const counts = camera.requests.flatMap(({ text }) => /nc=(\w+)/.exec(text)?.[1] ?? [])
  t.same(counts, counts.map((_, at) => (at + 1).toString().padStart(8, '0')))
})

t.test('addresses, channels and sessions as the camera spells them', async t => {
  const other = await plays(t, 'other channels', {
    replies: { SETUP: () => [OK, 'transport:RTP/AVP/TCP;interleaved=4-9;ssrc=FFFFFFFF', 'session:  AB$c-.+_ ; timeout=30'] },
    show: showing({ channel: 4 })
  })
  t.match(other.requests.at(-1)?.text, /Session: AB\$c-\.\+_$/)
  const absolute = await plays(t, 'absolute addresses', {
    sdp: SDP.replace('a=control:*', 'a=control:rtsps://inside/all').replace('a=control:track1', 'a=control:rtsps://inside/video')
  })
  t.same(absolute.requests.slice(2).map(({ uri }) => uri), ['rtsps://inside/video', 'rtsps://inside/all', 'rtsps://inside/all'])
  const located = await plays(t, 'without a base', { replies: { DESCRIBE: () => described(SDP, 'Content-Location: rtsps://inside/x') } })
  t.same(located.requests.slice(2, 4).map(({ uri }) => uri), ['rtsps://inside/x/track1', 'rtsps://inside/x'])
  await plays(t, 'no word of transport or session', { replies: { SETUP: () => [OK] } })
  await plays(t, 'one channel only', { replies: { SETUP: () => [OK, 'Transport: RTP/AVP/TCP;interleaved=2'] }, show: showing({ channel: 2 }) })
  await plays(t, 'no OPTIONS', { replies: { OPTIONS: () => ['RTSP/1.0 405 Method Not Allowed'] } })
})

const answered = (text: string, { sequence }: ScriptedRequest) => `RTSP/1.0 ${text}\r\nCSeq: ${sequence}\r\n\r\n`

t.test('answers among packets, without numbers, for others, and in two parts', async t => {
  const stray = interleaved(createRtpSource().packet(slice()))
  const around = (request: ScriptedRequest, text = '200 OK') =>
    Buffer.concat([stray, Buffer.from(answered(text, request)), stray])
  const write = (bytes: Buffer, { socket }: ScriptedRequest): undefined => { socket.write(bytes) }
  await plays(t, 'among packets', {
    replies: { OPTIONS: request => write(around(request), request), SETUP: request => write(around(request), request) }
  })
  await plays(t, 'without numbers', {
    replies: { DESCRIBE: request => write(described(SDP), request), SETUP: request => write(Buffer.from(`${OK}\r\n\r\n`), request) }
  })
  await plays(t, 'for others', {
    replies: {
      DESCRIBE ({ socket }) {
        socket.write('RTSP/1.0 404 Not Found\r\nCSeq: 99\r\n\r\n')
        return described(SDP)
      }
    }
  })
  await plays(t, 'not yet', {
    replies: {
      DESCRIBE (request) {
        request.socket.write(answered('100 Continue', request))
        return described(SDP)
      }
    }
  })
})

t.test('video that comes before the answer to PLAY, from the first picture on', async t => {
  const source = createRtpSource()
  const early = Buffer.concat(picturesOf(source, 5).map(packet => interleaved(packet)))
  const camera = await startScriptedCamera(t, {
    replies: {
      SETUP: request => { // in one piece with its answer
        request.socket.write(Buffer.concat([Buffer.from(answered('200 OK', request)), early]))
        return undefined
      }
    },
    show: socket => { socket.write(Buffer.concat(picturesOf(source, 5, 5).map(packet => interleaved(packet)))) }
  })
  const video = watchVideo(t, camera.port)
  await eventually(() => video.units.length >= 10)
  t.same(video.units.map(({ key }) => key), [true, ...Array.from({ length: 9 }, () => false)])
})

t.test('a camera that sends at once what it has, in pieces of any size', async t => {
  const source = createRtpSource()
  const wire = Buffer.concat(picturesOf(source, 90).map(packet => interleaved(packet)))
  const inPieces = (size: number) => async (socket: TLSSocket) => {
    for (let at = 0; at < wire.length; at += size) {
      if (!socket.write(wire.subarray(at, at + size))) await new Promise(resolve => socket.once('drain', resolve))
    }
  }
  for (const size of [7, 1_000, wire.length]) {
    const camera = await startScriptedCamera(t, { show: inPieces(size) })
    const video = watchVideo(t, camera.port)
    await eventually(() => video.units.length === 90)
    t.ok(video.units.every(({ key, nalus }) => nalus.length === 1 && nalus[0]?.length === (key ? 3_000 : 60)), `${size}`)
    await video.stop()
  }
})

t.test('a camera that asks us something is answered', async t => {
  const camera = await startScriptedCamera(t, {
    show (socket) {
      for (const method of ['OPTIONS', 'SET_PARAMETER', 'ANNOUNCE']) socket.write(`${method} * RTSP/1.0\r\nCSeq: 7${method.length}\r\n\r\n`)
      showing()(socket)
    }
  })
  const video = watchVideo(t, camera.port)
  await eventually(() => video.units.length > 3 && camera.methods.filter(method => method === 'RTSP/1.0').length === 3)
  const answers = camera.requests.filter(({ method }) => method === 'RTSP/1.0').map(({ text }) => text)
  t.same(answers, ['200 OK\r\nCSeq: 77', '200 OK\r\nCSeq: 713', '501 Not Implemented\r\nCSeq: 78'].map(text => `RTSP/1.0 ${text}`))
})

t.test('signs of life, by the method that the camera knows', async t => {
  const session = [OK, 'Session: 1;timeout=2']
  const signs = async (what: string, wanted: readonly string[], replies: RtspScript['replies']) => {
    const camera = await startScriptedCamera(t, { replies: { SETUP: () => session, ...replies } })
    const video = watchVideo(t, camera.port)
    await eventually(() => camera.methods.length >= 4 + wanted.length, 10_000)
    t.same(camera.methods.slice(4, 4 + wanted.length), wanted, what)
    t.match(camera.requests[4]?.text, 'Session: 1')
    await eventually(() => video.units.length > 100)
    await video.stop()
  }
  await Promise.all([
    signs('known', ['GET_PARAMETER', 'GET_PARAMETER'], {}),
    signs('not known', ['OPTIONS', 'OPTIONS'], { OPTIONS: () => [OK, 'Public: DESCRIBE, SETUP, PLAY'] }),
    signs('refused', ['GET_PARAMETER', 'OPTIONS'], { GET_PARAMETER: () => ['RTSP/1.0 451 Parameter Not Understood'] }),
    signs('not answered', ['GET_PARAMETER', 'GET_PARAMETER'], { GET_PARAMETER: () => undefined }),
    signs('with the code', ['GET_PARAMETER', 'GET_PARAMETER'],
      { GET_PARAMETER: request => proves(request, { nonce: 'k' }) ? [OK] : ask('k') })
  ])
})

t.test('reports of what arrives, on the channel of reports', async t => {
  const camera = await startScriptedCamera(t, {
    replies: { SETUP: () => [OK, 'Transport: RTP/AVP/TCP;interleaved=2-7'] },
    show: showing({ channel: 2 })
  })
  watchVideo(t, camera.port)
  await eventually(() => camera.packets.length > 0, 10_000)
  const [channel, packet] = camera.packets[0] ?? [0, Buffer.alloc(0)]
  t.equal(channel, 7)
  t.match([packet[1], packet.readUInt32BE(8)], [201, 0x1234])
})

t.test('a farewell that nobody answers is not waited for for long', async t => {
  const camera = await startScriptedCamera(t, { replies: { TEARDOWN: () => undefined } })
  const video = watchVideo(t, camera.port, { timeouts: { grace: 50 } })
  await eventually(() => video.units.length > 3)
  await video.stop()
  t.equal(camera.methods.at(-1), 'TEARDOWN')
  await eventually(() => camera.open === 0)
})

t.test('pictures end with the wish for them', async t => {
  const camera = await startScriptedCamera(t, { replies: { TEARDOWN: () => undefined } })
  const video = watchVideo(t, camera.port, { timeouts: { grace: 300 } })
  await eventually(() => video.units.length > 3)
  const ended = video.stop()
  const { length } = video.units
  await ended
  t.equal(video.units.length, length)
})

t.test('parameter sets in band only, in the description only, and in fragments', async t => {
  const bare = SDP.replace(/;sprop-parameter-sets=\S+/, '')
  await plays(t, 'in band', { sdp: bare, show: showing({ picture: (source, at) => source.picture(at % 3 === 0 ? [SPS, PPS, key()] : [slice()]) }) })
  await plays(t, 'both', { show: showing({ picture: (source, at) => source.picture(at % 3 === 0 ? [SPS, PPS, key()] : [slice()]) }) })
})
