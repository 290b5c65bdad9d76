import type { Dispose } from '../util/emitter.js'
import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { liveTopics: LiveTopic }
}

/**
 * Says that something about a printer has changed. With `every` the data are sent; otherwise they are read from
 * `current` when they are sent, so that saying it costs nothing while nobody listens.
 */
export type Send = (printer: string, data?: unknown) => void

interface Topic {
  readonly name: string
  readonly description: string
  readonly watch: (kernel: Kernel, send: Send) => Dispose
}

type Current = (kernel: Kernel, printer: string) => unknown

/** Events of which each one counts: missed ones are sent again after a reconnect. */
export interface EveryTopic extends Topic {
  readonly every: true
  /** What a listener gets of a printer at the beginning; undefined for nothing. */
  readonly current?: Current
}

/** Changes of which only the newest counts; a listener gets it at once, then at most once a second. */
export interface NewestTopic extends Topic {
  readonly every?: false
  /** What is so now; undefined while there is nothing to send. */
  readonly current: Current
  /** Whether a listener that got the one need not get the other. @default each is sent */
  readonly isSame?: (sent: unknown, now: unknown) => boolean
}

/** One kind of live message. */
export type LiveTopic = EveryTopic | NewestTopic

/** Declares a kind of live message; nothing is watched before the service starts. */
export const defineLiveTopic = (topic: LiveTopic): LiveTopic => Object.freeze(topic)
