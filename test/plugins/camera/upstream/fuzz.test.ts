import t from 'tap'
import { CameraError } from '../../../../plugins/camera/upstream/camera-error.js'
import { challengeOf, createAuthorizer } from '../../../../plugins/camera/upstream/rtsp-authorizer.js'
import { createRtspParser } from '../../../../plugins/camera/upstream/rtsp-messages.js'
import { createRtspRequests } from '../../../../plugins/camera/upstream/rtsp-requests.js'
import { openSession } from '../../../../plugins/camera/upstream/rtsp-session.js'
import { readSdp } from '../../../../plugins/camera/upstream/sdp.js'
import { createVideoReceiver } from '../../../../plugins/camera/upstream/video-receiver.js'
import { readSps } from '../../../../plugins/camera/video/sps.js'
import { aggregate, createRtpSource, fragments, interleaved, key, OTHER_SPS, PPS, SEI, slice, SPS } from '../helpers/h264.js'
import { described, SDP } from '../helpers/rtsp-camera.js'

// Damaged in thousands of ways, always the same ones: what comes out is a CameraError or nothing.

const MOST_UNIT_BYTES = 4 * 1024 * 1024

/** Numbers that only look random (mulberry32). */
function createRandom (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
type Random = ReturnType<typeof createRandom>

const WORDS = ['\r\n', '\r\n\r\n', '$', '=', '"', ';', ',', ':', '/', ' ', '0', '-1', '99999999999', 'RTSP/1.0', 'a=',
  'm=video', '\0', 'é']
  .map(word => Buffer.from(word))

/** One change: a bit, a byte, a piece that is missing, doubled, or of zeros, or a word of the protocol. */
function spoil (bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1)
  const length = random(Math.min(64, bytes.length - at) + 1)
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)]
  switch (random(7)) {
    case 0: {
      const copy = Buffer.from(bytes)
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random(8))
      return copy
    }
    case 1: return Buffer.concat([before, Buffer.of(random(256)), after])
    case 2: return Buffer.concat([before, after])
    case 3: return Buffer.concat([before, piece, piece, after])
    case 4: return Buffer.concat([before, Buffer.alloc(length), after])
    case 5: return Buffer.concat([before, Buffer.alloc(length, 0xFF), after])
    default: return Buffer.concat([before, WORDS[random(WORDS.length)] ?? Buffer.alloc(0), after])
  }
}

function spoiled (bytes: Buffer, random: Random): Buffer {
  let result = bytes
  for (let times = 1 + random(6); times > 0; times--) result = spoil(result, random)
  return result
}

/** Rounds in which something else happened. */
function failures (rounds: number, seed: number, work: (random: Random, round: number) => void): string[] {
  const wrong: string[] = []
  for (let round = 0; round < rounds; round++) {
    try {
      work(createRandom(seed + round), round)
    } catch (error) {
      if (!(error instanceof CameraError)) wrong.push(`${round}: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  return wrong.slice(0, 3)
}

const inPieces = (bytes: Buffer, random: Random, take: (piece: Buffer) => void) => {
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.subarray(at, at + 1 + random(400))
    take(piece)
    at += piece.length
  }
}

const ANSWERS = [
  Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: GET_PARAMETER\r\n\r\n'),
  Buffer.from('RTSP/1.0 401 Unauthorized\r\nCSeq: 2\r\nWWW-Authenticate: Digest realm="a", nonce="b"\r\n\r\n'),
  described(SDP, 'CSeq: 3', 'Content-Base: rtsps://h/x/'),
  interleaved(Buffer.alloc(300, 7), 1),
  Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 4\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\nSession: 1;timeout=60\r\n\r\n'),
  interleaved(Buffer.alloc(20, 9), 0),
  Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 9\r\n\r\n'),
  Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 5\r\n\r\n')
]

t.test('messages', async t => {
  t.same(failures(3_000, 1, random => {
    let given = 0
    const take = createRtspParser({
      onMessage: ({ start, headers, body }) => { given += start.length + headers.join('').length + body.length },
      onPacket: (_, _bytes, from, end) => { given += end - from }
    })
    const wire = spoiled(Buffer.concat(ANSWERS), random)
    inPieces(wire, random, take)
    if (given > wire.length * 2) throw new Error('more than was sent')
  }), [])
})

t.test('whole dialogues', async t => {
  const wrong: unknown[] = []
  let playing = 0
  for (let round = 0; round < 2_000; round++) {
    const random = createRandom(20_000 + round)
    const written: string[] = []
    const write = (text: string) => { written.push(text) }
    const requests = createRtspRequests({ accessCode: '12345678', timeoutMs: 60_000, write })
    const parse = createRtspParser({ onMessage: message => requests.take(message), onPacket: () => {} })
    const playback = openSession(requests, 'rtsps://h/x', () => {}).then(async ({ play }) => { await play(); playing++ })
      .catch((error: unknown) => { if (!(error instanceof CameraError)) wrong.push(error) })
    try {
      for (const part of ANSWERS) {
        inPieces(random(4) === 0 ? spoiled(part, random) : part, random, parse)
        for (let turn = 0; turn < 4; turn++) await undefined // what comes next is asked for
      }
    } catch (error) {
      if (!(error instanceof CameraError)) wrong.push(error)
    }
    requests.close(new CameraError('lost', 'over'))
    await playback
    if (written.some(text => !/^[ -~\r\n]*$/.test(text))) wrong.push(`${round}: control characters go out`)
    if (written.length > 40) wrong.push(`${round}: too many words`)
  }
  t.same(wrong.slice(0, 3), [])
  t.ok(playing > 100 && playing < 2_000, `${playing} play all the same`)
})

t.test('descriptions', async t => {
  const text = Buffer.from(SDP.replace('m=video', 'm=audio 0 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\nm=video'))
  t.same(failures(5_000, 3, random => {
    const { payloadType, parameterSets } = readSdp(spoiled(text, random).toString('utf8'))
    if (!(payloadType >= 0 && payloadType < 128) || parameterSets.length > 32) throw new Error('impossible')
  }), [])
})

t.test('challenges', async t => {
  const offer = Buffer.from('Digest realm="a \\"b\\"", nonce="c", qop="auth,auth-int", algorithm=MD5, opaque="d", ' +
    'stale=FALSE, Basic realm="e"')
  t.same(failures(5_000, 4, random => {
    const challenge = challengeOf([`WWW-Authenticate: ${spoiled(offer, random).toString('latin1')}`])
    const line = challenge && createAuthorizer(challenge, { user: 'bblp', password: 'x' })('PLAY', 'rtsps://h/x')
    if (line !== undefined && /[^ -~]/.test(line)) throw new Error('control characters')
  }), [])
})

t.test('parameter sets', async t => {
  const sets = [SPS, OTHER_SPS, Buffer.from('67f4000c919b282a10f0842180880000030008000003005078a14cb0', 'hex')]
  t.same(failures(20_000, 5, (random, round) => {
    const info = readSps(spoiled(sets[round % sets.length] ?? SPS, random))
    if (info === undefined) return
    const { width, height, codec } = info
    if (!(width > 0 && width <= 8_192 && height > 0 && height <= 8_192 && /^avc1\.[0-9a-f]{6}$/.test(codec))) {
      throw new Error(`${width} x ${height} ${codec}`)
    }
  }), [])
})

/** Packets of some pictures in all ways of packing them. */
function someVideo (random: Random): Buffer[] {
  const source = createRtpSource()
  const pictures = Array.from({ length: 12 }, (_, at) => at % 4 === 0
    ? [random(2) === 0 ? SPS : OTHER_SPS, PPS, SEI, key({ size: 2_000 }), key({ first: 9, size: 100 })]
    : [slice({ size: 30 + random(300) }), slice({ first: 9 })])
  return pictures.flatMap(nals => {
    const pack = random(3)
    if (pack === 0) return source.picture(nals, (['end', 'all', 'none'] as const)[random(3)])
    if (pack === 1) return [source.packet(aggregate(...nals), true)]
    return nals.flatMap(nal => fragments(nal, 1 + random(200))).map(payload => source.packet(payload))
  })
}

t.test('packets', async t => {
  t.same(failures(2_500, 6, random => {
    let last = -1
    let seq = 0
    const receiver = createVideoReceiver({
      track: { payloadType: 96, control: undefined, sessionControl: undefined, parameterSets: [SPS, PPS] },
      now: () => 0,
      nextSeq: () => ++seq,
      monotonic: () => random(100_000),
      onUnit ({ key, nalus, time, format }) {
        if (!(time > last) || !Number.isSafeInteger(time)) throw new Error(`time ${time} after ${last}`)
        if (last < 0 && !key) throw new Error('not a key picture first')
        const bytes = nalus.reduce((sum, nal) => sum + nal.length, 0)
        if (nalus.length > 512 || bytes > MOST_UNIT_BYTES || nalus.length === 0) throw new Error('too large')
        if (nalus.some(nal => [0, 7, 8, 9].includes((nal[0] ?? 0) & 0x1F))) throw new Error('not of a picture')
        if (format.pps.length === 0 || format.pps.length > 31) throw new Error('sets')
        last = time
      }
    })
    for (const packet of someVideo(random)) {
      const times = random(20) === 0 ? random(3) : 1 // some are lost or doubled
      for (let at = 0; at < times; at++) receiver.packet(random(8) === 0 ? spoiled(packet, random) : packet)
      if (random(10) === 0) receiver.control(spoiled(packet, random))
      receiver.report()
    }
  }), [])
})
