import { createEmitter, withTimeout } from '../../core/index.js'
import { asStreamFailed, disposeAll, type CameraFeed, type CameraFeedDeps, type PictureOptions } from './camera-feed.js'
import { createCameraConnection, firstOf } from './connection.js'
import type { FindDecoder } from './decoder/types.js'
import { createFpsMeter } from './fps-meter.js'
import { jpegSize, type Frame } from './frame.js'
import { createLiveDecoding } from './live-decoding.js'
import { checkLiveView } from './protocol.js'
import { CameraError } from './upstream/camera-error.js'
import type { VideoUpstream } from './upstream/types.js'
import { createGroupRing } from './video/group-ring.js'
import { CLOCK_HZ, type AccessUnit, type VideoFormat } from './video/types.js'

const TICKS_PER_MS = CLOCK_HZ / 1_000

/** One time for all connections to a camera, so that who watches over a reconnection need not begin anew. */
interface Timeline {
  /** For a new connection. @returns what gives its pictures their time, 1/90,000 s */
  begin (): (unit: AccessUnit) => number
}

function createTimeline (): Timeline {
  let last: { readonly time: number, readonly at: number } | undefined
  return {
    begin () {
      let offset: number | undefined
      return ({ time, at }) => {
        offset ??= last === undefined ? -time : last.time + Math.max(1, (at - last.at) * TICKS_PER_MS) - time
        const shown = Math.round(time + offset)
        last = { time: shown, at }
        return shown
      }
    }
  }
}

const isSame = (one: VideoFormat, other: VideoFormat): boolean =>
  one.sps.equals(other.sps) && one.pps.length === other.pps.length &&
  one.pps.every((set, at) => other.pps[at]?.equals(set) === true)

/** @returns a function that gives equal formats as the same object, over reconnections too */
function createFormatMemory (): (format: VideoFormat) => VideoFormat {
  let given: VideoFormat | undefined
  let kept: VideoFormat | undefined
  return format => {
    if (format === given && kept !== undefined) return kept
    given = format
    if (kept === undefined || !isSame(kept, format)) kept = format
    return kept
  }
}

export interface VideoFeedDeps extends CameraFeedDeps {
  readonly findDecoder: FindDecoder
  /** Pictures a second at most for those who take pictures. */
  readonly maxFps: number
}

const notDecoded = (withinMs: number) =>
  new CameraError('decoder_failed', `No picture could be made of the video within ${withinMs / 1_000} s`)

/**
 * The feed of a camera that sends video. Video passes as it is; it is decoded only while somebody takes pictures, and
 * for one picture only as far as that picture needs.
 */
export function createVideoFeed (upstream: VideoUpstream, deps: VideoFeedDeps): CameraFeed {
  const { session, protocol, log, now, taps, findDecoder } = deps
  const events = createEmitter<{ unit: [unit: AccessUnit], frame: [frame: Frame] }>(
    error => log.error({ err: error }, 'camera listener failed'))
  const rate = createFpsMeter(now)
  const ring = createGroupRing()
  const timeline = createTimeline()
  const sameFormat = createFormatMemory()
  const ended = new AbortController()
  let units = 0
  let frames = 0
  let newest: Frame | undefined
  let hasLooked = false
  let still: { readonly seq: number, readonly frame: Promise<Frame> } | undefined

  const connection = createCameraConnection({
    log,
    retryMs: deps.retryMs,
    onDown () {
      newest = undefined
      ring.clear()
      if (!connection.running) rate.clear()
    },
    async connect (signal, delivered) {
      checkLiveView(session)
      const timeOf = timeline.begin()
      return await upstream({
        config: session.config,
        pins: deps.pins,
        signal,
        timeouts: deps.timeouts,
        now,
        nextSeq: () => ++units,
        onUnit (coded) {
          const unit = { ...coded, time: timeOf(coded), format: sameFormat(coded.format) }
          delivered()
          lookForDecoder()
          ring.push(unit)
          rate.count()
          taps.onUnit(unit)
          events.emit('unit', unit)
        }
      })
    }
  })

  const live = createLiveDecoding({
    findDecoder,
    log,
    maxFps: deps.maxFps,
    retryMs: deps.retryMs,
    begin: () => ring.units,
    onUnit: listener => events.on('unit', listener),
    onJpeg (jpeg) {
      const size = jpegSize(jpeg)
      if (size === undefined) return
      newest = { seq: ++frames, jpeg, ...size, capturedAt: now() }
      events.emit('frame', newest)
      taps.onFrame(newest)
    }
  })

  /** Takes a moment the first time: whoever watches may want a picture. Nothing is decoded. */
  function lookForDecoder (): void {
    if (hasLooked) return
    hasLooked = true
    findDecoder().catch(() => {}) // whoever wants a picture is told
  }

  /** While the camera is being connected. */
  function prepare (): void {
    findDecoder().then(decoder => decoder.prepare?.(), () => {})
  }

  async function decode (units: readonly AccessUnit[], last: AccessUnit): Promise<Frame> {
    const decoder = await findDecoder()
    const jpeg = await decoder.still(units, ended.signal)
    const size = jpegSize(jpeg)
    if (size === undefined) throw new CameraError('decoder_failed', `${decoder.name} made something that is no picture`)
    const frame: Frame = { seq: ++frames, jpeg, ...size, capturedAt: last.at }
    taps.onFrame(frame)
    return frame
  }

  /** However many ask for the same picture, it is decoded once. */
  function stillOf (units: readonly AccessUnit[]): Promise<Frame> {
    const last = units.at(-1) as AccessUnit
    if (still?.seq === last.seq) return still.frame
    const frame = decode(units, last)
    still = { seq: last.seq, frame }
    frame.catch(() => { if (still?.frame === frame) still = undefined })
    return frame
  }

  /** Of the group that is there, or that comes. */
  async function decodable (freshMs: number, withinMs: number, signal: AbortSignal): Promise<readonly AccessUnit[]> {
    const since = now() - freshMs
    return ring.pictureSince(since) ?? await firstOf<readonly AccessUnit[]>(connection, { withinMs, signal }, take =>
      events.on('unit', () => {
        const units = ring.pictureSince(since)
        if (units !== undefined) take(units)
      }))
  }

  async function picture ({ freshMs, withinMs, signal, lingerMs = 0 }: PictureOptions): Promise<Frame> {
    signal.throwIfAborted()
    const release = connection.want()
    try {
      if (newest !== undefined && now() - newest.capturedAt <= freshMs) return newest
      if (ring.units.length === 0) prepare()
      const frame = stillOf(await decodable(freshMs, withinMs, signal))
      return await withTimeout(withinMs, frame, () => notDecoded(withinMs), signal)
    } catch (error) {
      throw asStreamFailed(error)
    } finally {
      release(lingerMs)
    }
  }

  return {
    protocol,
    rate,
    get newest () { return newest },
    get problem () { return connection.problem ?? live.problem },
    get running () { return connection.running },
    get consumers () { return connection.consumers },
    video: {
      attach (onUnit) {
        for (const unit of ring.units) onUnit(unit)
        const dispose = events.on('unit', onUnit)
        const release = connection.want()
        return lingerMs => { dispose(); release(lingerMs) }
      }
    },
    attach (onFrame) {
      const parts = onFrame ? [events.on('frame', onFrame), live.want()] : []
      const release = connection.want()
      return lingerMs => {
        disposeAll(parts)
        if (!live.wanted) newest = undefined
        release(lingerMs)
      }
    },
    picture,
    async ready ({ withinMs, signal, lingerMs = 0 }) {
      signal.throwIfAborted()
      const release = connection.want()
      try {
        await decodable(Infinity, withinMs, signal)
      } catch (error) {
        throw asStreamFailed(error)
      } finally {
        release(lingerMs)
      }
    },
    rest: connection.rest,
    async close () {
      ended.abort(new Error('The session of this printer was ended'))
      await Promise.all([connection.close(), live.close()])
    }
  }
}
