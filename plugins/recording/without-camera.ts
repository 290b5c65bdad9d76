import { Unsupported, type Services } from '../../core/index.js'

/** What recordings need of cameras. */
export type Cameras = Pick<Services['camera'], 'protocol' | 'tap' | 'hold' | 'latestFrame' | 'findDecoder'>

const refusal = () => new Unsupported('The camera plugin is switched off: nothing can be recorded')

/** In place of the camera plugin where it is switched off: what was recorded before can be played and deleted. */
export const WITHOUT_CAMERA: Cameras = {
  protocol: () => undefined,
  tap: () => () => {},
  hold () { throw refusal() },
  latestFrame: async () => { throw refusal() },
  findDecoder: async () => { throw refusal() }
}
