// Copies what an H.264 camera sends to every socket that connects: what watching video is measured against.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { connect } from 'node:tls'

const [port = '0'] = process.argv.slice(2)
const viewers = new Set<Socket>()
const server = createServer(socket => {
  viewers.add(socket)
  socket.on('error', () => {}).once('close', () => viewers.delete(socket))
  socket.resume()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const camera = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false })
await once(camera, 'secureConnect')
camera.write('PLAY rtsp://camera/ RTSP/1.0\r\nCSeq: 1\r\n\r\n')
camera.on('data', piece => { for (const viewer of viewers) viewer.write(piece) })
process.send?.({ port: (server.address() as AddressInfo).port })
