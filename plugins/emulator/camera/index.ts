export { createCamera, type Camera } from './camera.js'
export type { CameraFaults } from './faults.js'
export { SPOILS, type Spoil } from './camera-fault-injector.js'
export { resolveCamera, type CameraOptions, type CameraSettings, type SecondClient } from './options.js'
