import t, { type Test } from 'tap'
import sharp from 'sharp'
import { createVirtualPrinter, SPOILS, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { loginPacket, open, start, takeFrame, watch } from './camera-viewer.js'

const SMALL = { width: 320, height: 180, fps: 20 }
const P1S: VirtualPrinterOptions = { model: 'P1S', camera: SMALL }

t.test('a frame is a header of its own and a baseline JPEG', async t => {
  const printer = await start(t, { model: 'A1' })
  const wire = await watch(t, printer)
  const { header, jpeg } = await takeFrame(wire)
  t.same([4, 8, 12].map(at => header.readUInt32LE(at)), [0, 1, 0])
  t.equal(jpeg.toString('hex', 0, 4), 'ffd8ffe0')
  t.equal(jpeg.toString('latin1', 6, 10), 'JFIF')
  t.equal(jpeg.toString('hex', jpeg.length - 2), 'ffd9')
  t.ok(jpeg.length > 10_000 && jpeg.length < 200_000, `${jpeg.length} bytes`)
  const { width, height, isProgressive, format } = await sharp(jpeg).metadata()
  t.same([format, width, height, isProgressive], ['jpeg', 1280, 720, false])
  t.equal(wire.socket.getProtocol(), 'TLSv1.2')
})

t.test('frames come one after the other, and differ', async t => {
  const wire = await watch(t, await start(t, { model: 'P1S', camera: { width: 320, height: 180 } }))
  const first = await takeFrame(wire)
  const second = await takeFrame(wire)
  t.not(first.jpeg.equals(second.jpeg), true)
})

t.test('the login may come in pieces; only the right one opens', async t => {
  const printer = await start(t, P1S)
  const wire = await open(t, printer.ports.camera)
  const packet = loginPacket({ code: printer.accessCode })
  for (const part of [packet.subarray(0, 3), packet.subarray(3, 50), packet.subarray(50)]) {
    wire.socket.write(part)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  await takeFrame(wire)
  wire.socket.destroy()
  for (const fields of [{ code: '87654321' }, { user: 'root' }, { type: 0x3001 }, { size: 80 }, { code: '1234567' }]) {
    const refused = await open(t, printer.ports.camera)
    refused.socket.write(loginPacket(fields))
    t.equal((await refused.end()).length, 0, `${JSON.stringify(fields)} is closed without a byte`)
  }
})

t.test('the printer wide wrong code holds for the camera too', async t => {
  const printer = await start(t, P1S)
  const lift = printer.faults.rejectAccessCode()
  t.equal((await (await watch(t, printer)).end()).length, 0)
  lift()
  await takeFrame(await watch(t, printer))
})

t.test('a second client is refused, and welcome once the first has gone', async t => {
  const printer = await start(t, P1S)
  const first = await watch(t, printer)
  await takeFrame(first)
  t.equal((await (await watch(t, printer)).end()).length, 0)
  await takeFrame(first)
  first.socket.destroy()
  await eventually(async () => { await takeFrame(await watch(t, printer)); return true })
})

t.test('or it takes the place of the first, or both watch', async t => {
  const printer = await start(t, P1S)
  const first = await watch(t, printer)
  await takeFrame(first)
  const lift = printer.faults.camera.secondClient('replace')
  const second = await watch(t, printer)
  await takeFrame(second)
  await first.end()
  t.same([first.closed, second.closed], [true, false])
  lift()
  printer.faults.camera.secondClient('serve')
  const third = await watch(t, printer)
  await takeFrame(third)
  await takeFrame(second)
  t.same([second.closed, third.closed], [false, false])
})

t.test('stall: connected, and nothing comes until it is lifted', async t => {
  const printer = await start(t, P1S)
  const lift = printer.faults.camera.stall()
  const wire = await watch(t, printer)
  await new Promise(resolve => setTimeout(resolve, 200))
  t.same([wire.bytes.length, wire.closed], [0, false])
  lift()
  await takeFrame(wire)
})

t.test('cut and cutAfter end connections', async t => {
  const printer = await start(t, P1S)
  const first = await watch(t, printer)
  await takeFrame(first)
  printer.faults.camera.cut()
  await first.end()
  printer.faults.camera.cutAfter(2)
  const second = await eventuallyWatch(t, printer)
  await takeFrame(second)
  await takeFrame(second)
  t.equal((await second.end()).length, 0, 'nothing after the second')
})

t.test('live view off: connected without a byte; a closed port comes back', async t => {
  const printer = await start(t, P1S)
  const lift = printer.faults.camera.liveViewOff()
  const wire = await watch(t, printer)
  await new Promise(resolve => setTimeout(resolve, 150))
  t.equal(wire.bytes.length, 0)
  lift()
  await takeFrame(wire)
  printer.faults.camera.refuseConnections()
  await t.rejects(open(t, printer.ports.camera))
  await takeFrame(wire)
  await printer.faults.clear()
  wire.socket.destroy()
  await takeFrame(await eventuallyWatch(t, printer))
})

for (const how of SPOILS) {
  t.test(`spoiled frames: ${how}`, async t => {
    const printer = await start(t, P1S)
    printer.faults.camera.spoil(how, 1)
    const wire = await watch(t, printer)
    const header = await wire.take(16)
    const size = header.readUInt32LE(0)
    if (how === 'header') return t.ok(size > 2 ** 30)
    if (how === 'zeros') return t.ok((await wire.take(65_520)).every(byte => byte === 0))
    if (how === 'oversized') return t.ok(size > 10_000_000 && (await wire.take(size)).length === size)
    const payload = await wire.take(size)
    if (how === 'not-jpeg') return t.not(payload.readUInt16BE(0), 0xFFD8)
    t.equal(payload.readUInt16BE(0), 0xFFD8)
    t.not(payload.readUInt16BE(size - 2), 0xFFD9)
    if (how === 'truncated') t.equal((await takeFrame(wire)).jpeg.readUInt16BE(0), 0xFFD8, 'the next is whole')
  })
}

t.test('the certificate is the one of all ports; a change of it ends connections', async t => {
  const printer = await start(t, P1S)
  const wire = await watch(t, printer)
  t.equal(wire.socket.getPeerCertificate().fingerprint256, printer.fingerprint)
  t.equal(wire.socket.getPeerCertificate().subject.CN, printer.serial)
  const changed = await printer.faults.changeCertificate()
  await wire.end()
  const next = await open(t, printer.ports.camera)
  t.equal(next.socket.getPeerCertificate().fingerprint256, changed)
})

t.test('stop closes the port, start opens the same one', async t => {
  const printer = createVirtualPrinter(P1S)
  t.equal(printer.ports.camera, 0)
  t.equal(printer.ports.rtsps, undefined)
  await printer.start()
  t.teardown(() => printer.stop())
  const { camera } = printer.ports
  const wire = await watch(t, printer)
  await takeFrame(wire)
  await printer.stop()
  await wire.end()
  await t.rejects(open(t, camera))
  await printer.start()
  t.equal(printer.ports.camera, camera)
  await takeFrame(await watch(t, printer))
})

t.test('cameras that cannot be', async t => {
  for (const camera of [{ width: 31 }, { height: 721 }, { fps: 0 }, { fps: 31 }, { quality: 0 }]) {
    t.throws(() => createVirtualPrinter({ model: 'A1', camera }), RangeError, JSON.stringify(camera))
  }
})

/** A printer needs a moment to see that its viewer has gone. */
async function eventuallyWatch (t: Test, printer: Parameters<typeof watch>[1]) {
  let wire: Awaited<ReturnType<typeof watch>> | undefined
  await eventually(async () => {
    wire = await watch(t, printer)
    await new Promise(resolve => setTimeout(resolve, 60))
    return !wire.closed
  })
  if (wire === undefined) throw new Error('never connected')
  return wire
}
