import { defineResource, NotConnected, timeoutSignal, type Resource } from '../../core/index.js'
import { SHOWN_WITHIN_MS } from './timeouts.js'

/** A picture that is announced more often fills the context of an agent, not its knowledge. */
const ANNOUNCED_EVERY_MS = 5_000

/** The picture of the camera. Who follows it hears of pictures that come anyway: nothing is connected for it. */
export const cameraPicture: Resource = defineResource({
  uri: 'prnd://printers/{name}/camera',
  name: 'camera',
  title: 'Camera',
  description: 'Picture of the camera, now; changes are announced only while somebody else watches',
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
