import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../../core/index.js'
import { TooManyViewers } from '../errors.js'
import type { Frame, Rendition } from '../frame.js'
import { renditionKey } from '../rendition.js'
import type { CameraFeed } from '../camera-feed.js'
import { createEncodedStream, type EncodedStream } from './encoded-stream.js'
import { createVideoChannel } from './video-channel.js'
import { createVideoViewer, httpOutlet, socketOutlet, type VideoOutlet, type WebSocket } from './video-viewer.js'
import { createViewer, type Viewer } from './viewer.js'

/** All viewers of one camera, whether they get JPEGs or video. */
export interface ViewerPool {
  readonly size: number
  /**
   * Takes over a response and streams JPEGs to it until the viewer disconnects. @param address of the viewer
   * @throws PRN_ERR_TOO_MANY_VIEWERS, PRN_ERR_TOO_MANY_FROM_ADDRESS
   */
  admit (response: ServerResponse, rendition: Rendition, address: string): void
  /** Streams video over a response or a WebSocket; only for a camera that sends video. @throws as `admit` */
  admitVideo (viewer: ServerResponse | { readonly socket: WebSocket }, address: string): void
  /** @throws as `admit` when the pool is full */
  checkRoom (address: string): void
  /** Notifies of the first viewer and of the end of the last one. @returns ends the notifications */
  follow (follower: PoolFollower): () => void
  /** Disconnects all viewers. */
  close (): void
}

export interface PoolFollower {
  readonly onFirst: () => void
  readonly onLast: () => void
}

export interface ViewerPoolOptions {
  readonly source: CameraFeed
  readonly most: number
  readonly checkRoom: Services['http']['checkRoom']
  readonly log: FastifyBaseLogger
  readonly now: () => number
  /** A viewer that accepts no data for this long is disconnected, ms. */
  readonly patienceMs: number
  /** How long the camera stays connected after the last viewer, ms. */
  readonly lingerMs: () => number
}

type Anybody = Pick<Viewer, 'stalledMs' | 'end'>

const SWEEPS = 5

export function createViewerPool (options: ViewerPoolOptions): ViewerPool {
  const { source, most, log, now, patienceMs, lingerMs } = options
  const encodedStreams = new Map<string, EncodedStream>()
  const viewers = new Map<Anybody, { readonly address: string }>()
  const followers = new Set<PoolFollower>()
  const channel = source.video && createVideoChannel(source.video, lingerMs)
  let releasePictures: ((lingerMs?: number) => void) | undefined
  let sweeper: NodeJS.Timeout | undefined

  const onFrame = (frame: Frame) => { for (const encodedStream of encodedStreams.values()) encodedStream.push(frame) }
  const sweep = () => { for (const viewer of viewers.keys()) if (viewer.stalledMs(now()) > patienceMs) viewer.end() }

  function encodedStreamOf (rendition: Rendition): EncodedStream {
    const key = renditionKey(rendition)
    const known = encodedStreams.get(key) ?? createEncodedStream(rendition, log)
    encodedStreams.set(key, known)
    return known
  }

  function enter (viewer: Anybody, address: string): void {
    viewers.set(viewer, { address })
    if (viewers.size > 1) return
    sweeper = setInterval(sweep, patienceMs / SWEEPS).unref()
    for (const { onFirst } of followers) onFirst()
  }

  function leave (viewer: Anybody): void {
    if (!viewers.delete(viewer) || viewers.size > 0) return
    clearInterval(sweeper)
    for (const { onLast } of followers) onLast()
  }

  function leavePictures (viewer: Viewer, encodedStream: EncodedStream, key: string): void {
    encodedStream.remove(viewer)
    if (encodedStream.viewers.size === 0) encodedStreams.delete(key)
    if (encodedStreams.size === 0) {
      releasePictures?.(lingerMs())
      releasePictures = undefined
    }
    leave(viewer)
  }

  const checkRoom = (address: string): void =>
    options.checkRoom(address, [...viewers.values()], most, () => new TooManyViewers(most))

  return {
    get size () { return viewers.size },
    checkRoom,
    admit (response, rendition, address) {
      checkRoom(address)
      releasePictures ??= source.attach(onFrame)
      const encodedStream = encodedStreamOf(rendition)
      const onGone = () => leavePictures(viewer, encodedStream, renditionKey(rendition))
      const viewer: Viewer = createViewer(response, { now, onGone })
      enter(viewer, address)
      encodedStream.add(viewer, source.newest)
    },
    admitVideo (to, address) {
      checkRoom(address)
      if (channel === undefined) throw new TypeError('this camera sends pictures')
      const onGone = () => {
        channel.remove(viewer)
        leave(viewer)
      }
      const outlet: VideoOutlet = 'socket' in to && !('writeHead' in to) ? socketOutlet(to.socket, onGone) : httpOutlet(to as ServerResponse, onGone)
      const viewer = createVideoViewer(outlet, now)
      enter(viewer, address)
      channel.add(viewer)
    },
    follow (follower) {
      followers.add(follower)
      return () => { followers.delete(follower) }
    },
    close () { for (const viewer of [...viewers.keys()]) viewer.end() }
  }
}
