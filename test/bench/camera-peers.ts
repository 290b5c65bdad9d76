// JPEG cameras in a process of their own. Arguments: access code, pictures a second, serial numbers.
import { showing, startJpegPeer } from '../plugins/camera/helpers/jpeg-peer.js'
import { noisy } from '../plugins/camera/helpers/pictures.js'

const [accessCode = '', rate = '5', ...serials] = process.argv.slice(2)
const pictures = await Promise.all([1, 2, 3, 4].map(seed => noisy(seed)))
const peers = await Promise.all(serials.map(serial =>
  startJpegPeer({ teardown: () => {} }, serial, accessCode, showing(pictures, 1000 / Number(rate)))))
process.send?.({ ports: peers.map(({ port }) => port) })
