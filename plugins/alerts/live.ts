import { defineLiveTopic, type LiveTopic } from '../live/index.js'

/** Alerts as they are raised; does not affect the queue. */
export const alertTopic: LiveTopic = defineLiveTopic({
  name: 'alerts',
  description: 'Alerts as they are raised',
  every: true,
  watch: ({ events }, send) => events.on('alert', alert => send(alert.printer, alert))
})
