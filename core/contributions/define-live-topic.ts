import type { Dispose } from '../util/emitter.js'
import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { liveTopics: LiveTopic }
}

/**
 * Reports a change of a printer. With `every`, the data are sent; otherwise they are read from `current` when they are
 * sent, so that reporting costs nothing without listeners.
 */
export type Send = (printer: string, data?: unknown) => void

interface Topic {
  readonly name: string
  readonly description: string
  readonly watch: (kernel: Kernel, send: Send) => Dispose
}

type Current = (kernel: Kernel, printer: string) => unknown

/** Events that are all delivered: missed ones are sent again after a reconnect. */
export interface EveryTopic extends Topic {
  readonly every: true
  /** The first message about a printer for a new listener; undefined for none. */
  readonly current?: Current
}

/** Changes of which only the newest matters: sent at once to a new listener, then at most once a second. */
export interface NewestTopic extends Topic {
  readonly every?: false
  /** The current value; undefined while there is nothing to send. */
  readonly current: Current
  /** Whether a listener that has `sent` does not need `now`. @default every value is sent */
  readonly isSame?: (sent: unknown, now: unknown) => boolean
}

/** A kind of live message. */
export type LiveTopic = EveryTopic | NewestTopic

/** Declares a kind of live message; nothing is observed before the service starts. */
export const defineLiveTopic = (topic: LiveTopic): LiveTopic => Object.freeze(topic)
