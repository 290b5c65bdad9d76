import { generateKeyPairSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { signingKeyOf, signMessage, verifyMessage } from '../../../../plugins/fleet/signed-message.js'
import { receiveStream, sendStream, WINDOW_BYTES } from '../../../../plugins/fleet/stream.js'
import { FRAME } from '../../../../plugins/fleet/encoding.js'
import { eventually } from '../../../helpers/eventually.js'

const MIB = 1024 ** 2
const key = signingKeyOf(generateKeyPairSync('ed25519').privateKey)
const redact = (text: string) => text.replaceAll('secret', '****')

/** Both ends in one process. @param onTheWay what is done to a message; undefined when it is lost */
function pair (source: Readable, onTheWay: (frame: Buffer) => Buffer | undefined = frame => frame) {
  const told: (boolean | string)[] = []
  let sent = 0
  const incoming = receiveStream({
    send: frame => outgoing.take(frame),
    verify: last => verifyMessage(last, 'a stream', known => known === key.publicKey)?.content,
    onEnd: whole => told.push(whole)
  })
  const outgoing = sendStream(source, {
    send (frame) {
      sent += frame.length
      const arriving = onTheWay(frame)
      if (arriving) incoming.take(arriving)
    },
    redact,
    sign: last => signMessage(key, 'a stream', last),
    onEnd: () => told.push('sent')
  })
  return { incoming, outgoing, told, get sent () { return sent } }
}

const bytes = (mib: number) => Readable.from((function * () {
  for (let at = 0; at < mib; at++) yield Buffer.alloc(MIB, at)
})())

t.test('a stream comes as it was', async t => {
  const { incoming, told } = pair(bytes(9))
  const all = await buffer(incoming.body)
  t.equal(all.length, 9 * MIB)
  t.ok(Array.from({ length: 9 }, (_, at) => at).every(at => all[at * MIB] === at && all[(at + 1) * MIB - 1] === at))
  t.same(told, ['sent', true])
  const empty = pair(Readable.from([]))
  t.equal((await buffer(empty.incoming.body)).length, 0)
})

t.test('who does not read gets no more than the window', async t => {
  let made = 0
  const endless = new Readable({ highWaterMark: 1, read () { made += MIB; this.push(Buffer.alloc(MIB)) } })
  const way = pair(endless)
  t.equal(way.sent, 0, 'nothing before it is asked for')
  way.incoming.body.read(0)
  await eventually(() => way.sent >= WINDOW_BYTES)
  await new Promise(resolve => setImmediate(resolve))
  t.ok(way.sent < 2 * WINDOW_BYTES && made < 3 * WINDOW_BYTES, `${way.sent} sent, ${made} made`)
  way.incoming.body.destroy()
  way.outgoing.stop(new Error('the reader has gone'))
  t.ok(endless.destroyed, 'the source is let go')
})

t.test('a part that is lost ends it, and so does a part that comes twice', async t => {
  let parts = 0
  const loses = (frame: Buffer) => frame[0] === FRAME.part && ++parts === 3 ? undefined : frame
  await t.rejects(buffer(pair(bytes(3), loses).incoming.body), /a part was lost/)
  const twice = pair(bytes(3))
  twice.incoming.take(Buffer.from([FRAME.part, 0, 0, 0, 0, 1]))
  await t.rejects(buffer(twice.incoming.body), /a part was lost/)
})

t.test('why a source failed is told, without its secrets', async t => {
  const failing = Readable.from((async function * () {
    yield Buffer.alloc(10)
    throw Object.assign(new Error('the card said secret'), { code: 'EIO' })
  })())
  const { incoming, told } = pair(failing)
  await t.rejects(buffer(incoming.body), { message: 'the card said ****', code: 'EIO' })
  t.same(told, [false, 'sent'])
  const gone = Readable.from([])
  gone.destroy()
  await t.rejects(buffer(pair(gone).incoming.body), /ended early/)
})

t.test('a part that another has put in makes the whole worth nothing', async t => {
  let parts = 0
  const changes = (frame: Buffer) => {
    if (frame[0] !== FRAME.part || ++parts !== 2) return frame
    const other = Buffer.from(frame)
    other.writeUInt8(255 - other.readUInt8(other.length - 1), other.length - 1)
    return other
  }
  await t.rejects(buffer(pair(bytes(3), changes).incoming.body), /what came is not what was sent/)
  const endless = new Readable({ read () {} })
  const forged = pair(endless)
  forged.incoming.take(Buffer.from([FRAME.last, 0, 0, 0, 0]))
  await t.rejects(buffer(forged.incoming.body), /its end is not signed/)
})
