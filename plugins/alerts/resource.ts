import { defineResource, type Resource } from '../mcp/index.js'

/** The queue of a printer, read without emptying it. */
export const alertFeed: Resource = defineResource({
  uri: 'prn://printers/{name}/alerts',
  name: 'alerts',
  title: 'Pending alerts',
  description: 'Alerts of one printer that nobody has read yet; reading this does not remove them',
  mimeType: 'application/json',
  values: kernel => kernel.printers.names,
  read: ({ printers, services }, name) => printers.names.includes(name)
    ? { text: JSON.stringify(services.alerts.queue.peek(name)) }
    : undefined,
  watch ({ events }, changed) {
    const off = [events.on('alert', ({ printer }) => changed(printer)), events.on('alerts:taken', changed)]
    return () => { for (const undo of off) undo() }
  }
})
