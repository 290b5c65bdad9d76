// An H.264 camera in a process of its own. Arguments: size, pictures a second, bits a second.
import { startVideoCamera } from '../plugins/camera/helpers/rtsp-camera.js'
import { clip } from '../plugins/camera/helpers/units.js'

const [size = '1920x1080', rate = '30', bitrate = '4M'] = process.argv.slice(2)
const units = await clip({ size, fps: Number(rate), seconds: 4, group: Number(rate), bitrate })
const camera = await startVideoCamera({ teardown: () => {} }, units, 1000 / Number(rate))
process.send?.({ port: camera.port })
