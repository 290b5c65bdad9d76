import { defineResource, NotConnected, timeoutSignal, type Resource } from '../../core/index.js'
import { SHOWN_WITHIN_MS } from './timeouts.js'

/** More frequent notifications would fill an agent's context without telling it more. */
const ANNOUNCED_EVERY_MS = 5_000

/** The camera's picture. Subscribers are notified of pictures that arrive anyway; nothing is connected for them. */
export const cameraPicture: Resource = defineResource({
  uri: 'prnd://printers/{name}/camera',
  name: 'camera',
  title: 'Camera',
  description: 'Picture of the camera, now; changes are announced only while the camera is in use',
  mimeType: 'image/jpeg',
  everyMs: ANNOUNCED_EVERY_MS,
  values: ({ printers, services }) => printers.names.filter(name => {
    const session = printers.get(name)
    return session && services.camera.protocol(session) !== undefined
  }),
  async read ({ printers, services: { camera }, signal }, name) {
    if (!printers.names.includes(name)) return undefined
    const session = printers.get(name)
    if (!session) throw new NotConnected(name)
    const soon = AbortSignal.any([signal, timeoutSignal(SHOWN_WITHIN_MS)])
    return await camera.latestFrame(session, { maxAgeMs: camera.timeouts.fresh, signal: soon })
      .then(({ jpeg }) => ({ picture: jpeg }), (error: Error) => ({ text: JSON.stringify({ error: error.message }) }))
  },
  watch: ({ printers, services }, changed) => printers.each(session => {
    const touch = () => changed(session.name)
    return services.camera.tap(session, { onFrame: touch, onUnit: touch })
  })
})
