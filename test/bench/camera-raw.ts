// Copies what a camera sends to every socket that connects: what fan-out is measured against. Arguments: port, access
// code of a JPEG camera; without one the camera is one of H.264, which plays when it is told to. Nothing
// waits for more bytes, as with live pictures.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { loginPacket } from '../../plugins/camera/upstream/jpeg-messages.js'

const [port = '0', accessCode] = process.argv.slice(2)
const viewers = new Set<Socket>()
const server = createServer(socket => {
  viewers.add(socket)
  socket.setNoDelay(true).on('error', () => {}).once('close', () => viewers.delete(socket))
  socket.resume()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const camera = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false })
await once(camera, 'secureConnect')
camera.write(accessCode === undefined ? 'PLAY rtsp://camera/ RTSP/1.0\r\nCSeq: 1\r\n\r\n' : loginPacket(accessCode))
camera.on('data', piece => { for (const viewer of viewers) viewer.write(piece) })
process.send?.({ port: (server.address() as AddressInfo).port })
