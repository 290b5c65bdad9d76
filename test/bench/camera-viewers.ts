// Many who look and throw away what they get. Arguments: port, path or nothing for a bare socket, how many. Says when
// all are connected, and when asked how many bytes have come, and pictures of MP4.
import { connect } from 'node:net'

const [port = '0', path = '', count = '1'] = process.argv.slice(2)
const isVideo = path.endsWith('.mp4')
let bytes = 0
let pictures = 0
await Promise.all(Array.from({ length: Number(count) }, () => new Promise<void>((resolve, reject) => {
  const socket = connect(Number(port), '127.0.0.1', () => {
    if (path !== '') socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    resolve()
  })
  socket.on('error', reject)
  socket.on('data', piece => {
    bytes += piece.length
    if (isVideo) for (let at = piece.indexOf('moof'); at >= 0; at = piece.indexOf('moof', at + 4)) pictures++
  })
})))
process.on('message', () => process.send?.({ bytes, pictures }))
process.send?.({ ready: true })
