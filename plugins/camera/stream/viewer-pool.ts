import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { TooManyViewers } from '../errors.js'
import type { Frame, Look } from '../frame.js'
import { keyOf } from '../images.js'
import type { CameraFeed } from '../camera-feed.js'
import { createEncodedStream, type EncodedStream } from './encoded-stream.js'
import { createViewer, type Viewer } from './viewer.js'

/** Everybody who looks at one camera. */
export interface ViewerPool {
  readonly size: number
  /** Takes over a response and shows it pictures until it goes. @throws PRN_ERR_TOO_MANY_VIEWERS */
  admit (response: ServerResponse, look: Look): void
  /** Sends everybody home. */
  close (): void
}

export interface ViewerPoolOptions {
  readonly source: CameraFeed
  readonly most: number
  readonly log: FastifyBaseLogger
  readonly now: () => number
  /** How long a viewer may take nothing, ms. */
  readonly patienceMs: number
  /** The connection to the camera stays this long after the last one, ms. */
  readonly lingerMs: () => number
  readonly onFirst: () => void
  readonly onLast: () => void
}

const SWEEPS = 5

export function createViewerPool (options: ViewerPoolOptions): ViewerPool {
  const { source, most, log, now, patienceMs, lingerMs, onFirst, onLast } = options
  const renditions = new Map<string, EncodedStream>()
  const viewers = new Set<Viewer>()
  let release: ((lingerMs?: number) => void) | undefined
  let sweeper: NodeJS.Timeout | undefined

  const onFrame = (frame: Frame) => { for (const encodedStream of renditions.values()) encodedStream.push(frame) }
  const sweep = () => { for (const viewer of viewers) if (viewer.stalledMs(now()) > patienceMs) viewer.end() }

  function renditionOf (look: Look): EncodedStream {
    const key = keyOf(look)
    const known = renditions.get(key) ?? createEncodedStream(look, log)
    renditions.set(key, known)
    return known
  }

  function open (): void {
    release = source.attach(onFrame)
    sweeper = setInterval(sweep, patienceMs / SWEEPS).unref()
    onFirst()
  }

  function shut (): void {
    clearInterval(sweeper)
    release?.(lingerMs())
    release = undefined
    onLast()
  }

  function leave (viewer: Viewer, encodedStream: EncodedStream, key: string): void {
    encodedStream.remove(viewer)
    if (encodedStream.viewers.size === 0) renditions.delete(key)
    if (viewers.delete(viewer) && viewers.size === 0) shut()
  }

  return {
    get size () { return viewers.size },
    admit (response, look) {
      if (viewers.size >= most) throw new TooManyViewers(most)
      if (viewers.size === 0) open()
      const encodedStream = renditionOf(look)
      const viewer: Viewer = createViewer(response, { now, onGone: () => leave(viewer, encodedStream, keyOf(look)) })
      viewers.add(viewer)
      encodedStream.add(viewer, source.newest)
    },
    close () { for (const viewer of [...viewers]) viewer.end() }
  }
}
