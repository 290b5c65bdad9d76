import { defineLiveTopic, type LiveTopic } from '../live/index.js'

/** Alerts as they are raised; the queue is not touched. */
export const alertTopic: LiveTopic = defineLiveTopic({
  name: 'alerts',
  description: 'Alerts as they are raised',
  every: true,
  watch: ({ events }, send) => events.on('alert', alert => send(alert.printer, alert))
})
