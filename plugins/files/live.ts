import { defineLiveTopic, type LiveTopic } from '../live/index.js'

/** Transfers as they begin, come along and end. */
export const transferTopic: LiveTopic = defineLiveTopic({
  name: 'transfers',
  description: 'Files on their way to or from a card, at most once a second',
  current: ({ services }, printer) => services.files.transfers.list(printer)[0],
  watch: ({ services }, send) => services.files.transfers.watch(({ printer }) => send(printer))
})
