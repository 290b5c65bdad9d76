// A JPEG camera in a process of its own. Arguments: serial, access code, pictures a second.
import { showing, startJpegPeer } from '../plugins/camera/helpers/jpeg-peer.js'
import { noisy } from '../plugins/camera/helpers/pictures.js'

const [serial = '', accessCode = '', rate = '15'] = process.argv.slice(2)
const pictures = await Promise.all([1, 2, 3, 4].map(seed => noisy(seed)))
const peer = await startJpegPeer({ teardown: () => {} }, serial, accessCode, showing(pictures, 1000 / Number(rate)))
process.send?.({ port: peer.port, fingerprint: peer.identity.fingerprint, bytes: pictures[0]?.length })
