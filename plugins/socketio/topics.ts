import type { Dispose, Kernel } from '../../core/index.js'

/** One kind of news that Socket.IO clients get. Only the newest matters: each sending holds everything. */
export interface SocketTopic {
  /** Name of the event. */
  readonly event: string
  /** What is so now; asked for once for all clients that are ready to take it. */
  readonly current: (kernel: Kernel) => object
  /** Calls `touch` whenever there is news. */
  readonly watch: (kernel: Kernel, touch: () => void) => Dispose
}

/** Adds an event to what Socket.IO clients get. */
export const defineSocketTopic = (topic: SocketTopic): SocketTopic => Object.freeze(topic)
