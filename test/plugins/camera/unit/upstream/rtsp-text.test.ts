import { createHash } from 'node:crypto'
import t from 'tap'
import { challengeOf, createAuthorizer } from '../../../../../plugins/camera/upstream/rtsp-authorizer.js'
import { createRtspParser } from '../../../../../plugins/camera/upstream/rtsp-messages.js'
import { baseOf, resolveControl, streamUrl } from '../../../../../plugins/camera/upstream/rtsp-url.js'
import { readSdp } from '../../../../../plugins/camera/upstream/sdp.js'
import { interleaved, PPS, SPS } from '../../helpers/h264.js'

/** What ended a camera's connection. */
function endOf (work: () => void): { kind?: string, message?: string } {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  return {}
}

const parse = (pieces: readonly (Buffer | string)[]) => {
  const parts: string[] = []
  const take = createRtspParser({
    onMessage: ({ start, headers, body }) => parts.push(`${start}|${headers.length}|${body.toString()}`),
    onPacket: (channel, bytes, from, end) => parts.push(`${channel} ${bytes.toString('latin1', from, end)}`)
  })
  for (const piece of pieces) take(Buffer.from(piece))
  return parts
}

t.test('messages and packets are told apart, whatever the pieces', async t => {
  const text = 'RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Length: 5\r\n\r\nhello'
  const asked = '\r\nOPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'
  const packet = interleaved(Buffer.from('\r\n\r\n$'), 3)
  const large = Buffer.alloc(65_535, 'x')
  const wire = Buffer.concat([Buffer.from(text), packet, packet, interleaved(Buffer.alloc(0)),
    Buffer.from(text + asked), interleaved(large, 255), packet])
  const answer = 'RTSP/1.0 200 OK|2|hello'
  const small = '3 \r\n\r\n$'
  const wanted = [answer, small, small, '0 ', answer, 'OPTIONS * RTSP/1.0|1|', `255 ${large.toString()}`, small]
  for (const size of [1, 2, 3, 5, 64, 1_400, 16_384, wire.length]) {
    const pieces = Array.from({ length: Math.ceil(wire.length / size) },
      (_, at) => wire.subarray(at * size, at * size + size))
    t.strictSame(parse(pieces), wanted, `pieces of ${size}`)
  }
})

t.test('what is no RTSP is refused before it fills the memory', async t => {
  const ok = 'RTSP/1.0 200 OK\r\n\r\n'
  const never = { kind: 'bad_data', message: /does not speak RTSP/ }
  for (const [what, pieces, wanted] of [
    ['zeros', [Buffer.alloc(10)], never],
    ['another protocol', ['HTTP/1.1 200 OK\r\n\r\n'], never],
    ['no end', Array.from({ length: 70 }, () => 'X'.repeat(1_000)), never],
    ['a head that is too long', [`RTSP/1.0 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`], never],
    ['a body that is too long', ['RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n'], { kind: 'bad_data' }],
    ['a body of less than nothing', ['RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n'], { kind: 'bad_data' }],
    ['a body of no number', ['RTSP/1.0 200 OK\r\nContent-Length: x\r\n\r\n'], { kind: 'bad_data' }],
    ['garbage behind an answer', [ok, Buffer.alloc(4, 0xA5)], { kind: 'bad_data', message: /sends data that is not RTSP/ }]
  ] as const) t.match(endOf(() => parse(pieces)), wanted, what)
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const LOGIN = { user: 'bblp', password: 'secret12' }

function shown (challenge: string, times = 1): string {
  const known = challengeOf([`WWW-Authenticate: ${challenge}`])
  if (known === undefined) return ''
  const show = createAuthorizer(known, LOGIN)
  return Array.from({ length: times }, () => show('DESCRIBE', 'rtsps://h/x')).at(-1) ?? ''
}

t.test('the password is shown as the standards have it', async t => {
  const request = md5('DESCRIBE:rtsps://h/x')
  const plain = shown('Digest realm="LIVE555 Streaming Media", nonce="abc"')
  t.match(plain, `response="${md5(`${md5('bblp:LIVE555 Streaming Media:secret12')}:abc:${request}`)}"`)
  t.match(plain, 'uri="rtsps://h/x"')
  t.notMatch(plain, /qop|algorithm|opaque|secret12/)

  const counted = shown('Digest qop="auth-int,auth", realm="a \\"b\\"", nonce=abc, opaque="o", algorithm=MD5', 2)
  const client = /cnonce="(\w+)"/.exec(counted)?.[1]
  t.match(counted, `response="${md5(`${md5('bblp:a "b":secret12')}:abc:00000002:${client}:auth:${request}`)}"`)
  t.match(counted, /realm="a \\"b\\"".*algorithm=MD5, qop=auth, nc=00000002, .*opaque="o"/)

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  t.match(shown('Digest realm="r", nonce="n", algorithm=SHA-256'),
    `response="${sha256(`${sha256('bblp:r:secret12')}:n:${sha256('DESCRIBE:rtsps://h/x')}`)}"`)
  t.equal(shown('Basic realm="x"'), `Authorization: Basic ${Buffer.from('bblp:secret12').toString('base64')}`)
})

t.test('of several schemes the strongest one is taken, and of unknown ones none', async t => {
  const basic = 'WWW-Authenticate: Basic realm="x"'
  const digest = 'www-authenticate: Digest realm="x", nonce="n", stale=TRUE'
  t.match(challengeOf([basic, digest]), { scheme: 'digest', stale: true, qop: false })
  t.match(challengeOf([`${basic}, Digest realm="y, z", nonce="n"`]), { scheme: 'digest', realm: 'y, z', stale: false })
  t.match(challengeOf([basic]), { scheme: 'basic' })
  for (const none of ['Bearer', 'Digest realm="x"', 'Digest realm="x", nonce="n", algorithm=SHA-512', '']) {
    t.equal(challengeOf([`WWW-Authenticate: ${none}`]), undefined, none)
  }
  t.match(challengeOf([`WWW-Authenticate: Digest nonce="n", ${'a'.repeat(60_000)}`]), { scheme: 'digest' }, 'in no time')
})

t.test('a camera cannot make us say something else', async t => {
  const line = shown('Digest realm="x\u0007\r", nonce="n\\"\t"')
  t.notMatch(line, /[^ -~]/)
})

t.test('addresses are put together as cameras and players do', async t => {
  const base = 'rtsps://h:322/streaming/live/1'
  t.equal(streamUrl('h', 322), base)
  t.equal(streamUrl('fe80::1', 322), 'rtsps://[fe80::1]:322/streaming/live/1')
  for (const [from, control, wanted] of [
    [base, 'track1', `${base}/track1`],
    [`${base}/`, 'track1', `${base}/track1`],
    [`${base}/`, '/track1', `${base}/track1`],
    [base, 'rtsp://other/x/track1', 'rtsp://other/x/track1'],
    [base, 'RTSPS://h/x', 'RTSPS://h/x'],
    [base, '*', base],
    [`${base}/`, undefined, `${base}/`],
    [base, '', base],
    [base, 'track1?a=b&c', `${base}/track1?a=b&c`],
    [base, 'x RTSP/1.0\r\nY: z', base],
    [base, 'x'.repeat(3_000), base]
  ] as const) t.equal(resolveControl(from, control), wanted, `${control}`)
  t.equal(baseOf(base, 'rtsps://h/a/', 'rtsps://h/b/'), 'rtsps://h/a/')
  t.equal(baseOf(base, undefined, 'rtsps://h/b/'), 'rtsps://h/b/')
  t.equal(baseOf(base, undefined, undefined), base)
  t.equal(baseOf(base, 'rtsps://h/a b/', undefined), base)
})

const sdp = (...lines: readonly string[]): string => ['v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=x', 't=0 0', ...lines, ''].join('\r\n')
const SETS = `${SPS.toString('base64')},${PPS.toString('base64')}`
const H264 = ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000']

t.test('the video among what a camera offers', async t => {
  const found = readSdp(sdp('a=control:*', 'm=audio 0 RTP/AVP 0', 'a=rtpmap:0 PCMU/8000', 'a=control:audio',
    'm=video 0 RTP/AVP 26', 'a=control:jpeg', 'm=video 0 RTP/AVP 97 98', 'c=IN IP4 0.0.0.0', 'a=rtpmap:97 H265/90000', 'a=rtpmap:98 h264/90000',
    'a=fmtp:97 sprop-parameter-sets=AAAA', `a=fmtp:98 packetization-mode=1; Sprop-Parameter-Sets=${SETS} ;profile-level-id=640028`,
    'a=control:track3', 'm=video 0 RTP/AVP 99', 'a=rtpmap:99 H264/90000', 'a=control:other'))
  t.same(found, { payloadType: 98, control: 'track3', sessionControl: '*', parameterSets: [SPS, PPS] })
  t.same(readSdp(sdp(...H264)), { payloadType: 96, control: undefined, sessionControl: undefined, parameterSets: [] })
  t.same(readSdp(sdp(...H264).replaceAll('\r\n', '\n')).payloadType, 96, 'bare line ends')
})

t.test('what a camera says of its parameter sets may be nonsense', async t => {
  const of = (sets: string) => readSdp(sdp(...H264, `a=fmtp:96 sprop-parameter-sets=${sets}`)).parameterSets
  t.same(of(`%%%,${SPS.toString('base64')},,=,a b`), [SPS])
  t.same(of(''), [])
  t.ok(of('AAAA,'.repeat(5_000)).length <= 32)
  t.same(readSdp(sdp(...H264, 'a=fmtp:96', 'a=fmtp', 'a=', 'm=')).parameterSets, [])
})

t.test('what cannot be played is named', async t => {
  for (const [what, text, wanted] of [
    ['nothing', '', /offers no video/],
    ['sound only', sdp('m=audio 0 RTP/AVP 0'), /offers no video/],
    ['another codec', sdp('m=video 0 RTP/AVP 96', 'a=rtpmap:96 H265/90000'), /sends its video as H265; only H264 is supported/],
    ['without a name', sdp('m=video 0 RTP/AVP 26'), /sends its video as type 26;/],
    ['out of order', sdp(...H264, 'a=fmtp:96 packetization-mode=2'), /packetization mode 2/],
    ['control characters', sdp('m=video 0 RTP/AVP 96', 'a=rtpmap:96 \u001B[2J/90000'), /as \?\[2J;/]
  ] as const) t.match(endOf(() => readSdp(text)), { kind: 'unsupported', message: wanted }, what)
})

t.test('a description of any size takes little', async t => {
  const types = Array.from({ length: 20_000 }, () => '1').join(' ')
  const many = `m=video 0 RTP/AVP ${types}\n${'a=rtpmap:2 x\n'.repeat(3_000)}`
  t.match(endOf(() => readSdp(many)), { kind: 'unsupported' })
  t.match(endOf(() => readSdp('m=video 0 RTP/AVP 1\n'.repeat(3_000))), { kind: 'unsupported' })
})
