import { defineResource, type Resource } from '../../core/index.js'

/** The monitor's last verdict, and the picture it was based on with the findings marked. */
export const healthResource: Resource = defineResource({
  uri: 'prnd://printers/{name}/health',
  name: 'health',
  title: 'Health of the print',
  description: 'The last verdict of the job monitor, a new one each minute of a print, and the picture it judged',
  mimeType: 'application/json',
  values: kernel => kernel.printers.names,
  async read ({ printers, services: { health: { monitor } } }, name) {
    if (!printers.names.includes(name)) return undefined
    const { result, pictures } = monitor.of(name)
    const annotated = (await pictures?.live())?.annotated
    return [{ text: JSON.stringify({ result: result ?? null }) }, ...(annotated ? [{ picture: annotated }] : [])]
  },
  watch: ({ events }, changed) => events.on('health:verdict', changed)
})
