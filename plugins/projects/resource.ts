import { defineResource, type Resource } from '../../core/index.js'
import type { ProjectRecord } from './project-document.js'

/** Objects with the ids that `skip_objects` takes. */
const objectsOf = (info: ProjectRecord | null) =>
  info?.metadata.map.bbox_objects.map(({ id, name }) => ({ id, name })) ?? []

/** The plate of the job: its objects from above, and the slicer's picture of it. */
export const platePicture: Resource = defineResource({
  uri: 'prnd://printers/{name}/plate',
  name: 'plate',
  title: 'Plate of the job',
  description: 'What the present or last job prints: its objects, then pictures from above and from aside',
  mimeType: 'application/json',
  values: kernel => kernel.printers.names,
  async read ({ printers, services: { projects } }, name) {
    if (!printers.names.includes(name)) return undefined
    const session = printers.get(name)
    if (!session) return { text: JSON.stringify({ error: `Printer '${name}' not connected` }) }
    const { info } = projects.ofJob(session)
    const { subtaskName: job = '', plate = -1 } = session.state?.job ?? {}
    const pictures = [await projects.layoutOfJob(session), projects.pictureOfJob(session, 'thumbnail')]
    return [
      { text: JSON.stringify({ job, plate, file: info?.id ?? null, objects: objectsOf(info) }) },
      ...pictures.filter(bytes => bytes !== undefined).map(picture => ({ picture }))
    ]
  },
  watch: ({ printers, services: { projects } }, changed) => printers.each(session => {
    let known = projects.ofJob(session)
    return session.events.on('state', () => {
      const now = projects.ofJob(session) // read from the card some time after the job began
      if (now === known) return
      known = now
      changed(session.name)
    })
  })
})
