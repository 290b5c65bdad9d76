import { noPicture } from './rtsp-errors.js'
import { createRtspParser } from './rtsp-messages.js'
import { createRtspRequests } from './rtsp-requests.js'
import { openSession, type Channels, type RtspSession } from './rtsp-session.js'
import type { VideoUpstreamContext } from './types.js'
import { createVideoReceiver, type VideoReceiver } from './video-receiver.js'

/** The RTSP dialogue with a video camera; its creator transports the bytes. */
export interface RtspConnection {
  /** The camera has sent a message. */
  readonly wasHeard: boolean
  /** Takes bytes from the camera. @throws CameraError when they break the protocol */
  take (piece: Buffer): void
  /** Resolves once the camera confirms PLAY. @throws CameraError */
  play (url: string): Promise<void>
  /** Stops delivering pictures and tears the session down. Resolves once the camera has answered in any way. */
  leave (): Promise<void>
  /** Rejects everything that is being waited for. */
  close (reason: unknown): void
}

export interface RtspConnectionOptions extends VideoUpstreamContext {
  write (data: string | Buffer): void
  /** Ends the connection from inside. */
  end (reason: unknown): void
}

const REPORT_MS = 5_000
const DOLLAR = 0x24

export function createRtspConnection (options: RtspConnectionOptions): RtspConnection {
  const { config: { accessCode }, timeouts, write, end, onUnit } = options
  const requests = createRtspRequests({ accessCode, timeoutMs: timeouts.connect, write })
  const stall = setTimeout(() => end(noPicture(timeouts.stall)), timeouts.stall).unref()
  const timers: NodeJS.Timeout[] = []
  let wasHeard = false
  let isLeaving = false
  let session: RtspSession | undefined
  let video: VideoReceiver | undefined
  let channels: Channels | undefined
  const parse = createRtspParser({
    onMessage: message => requests.take(message),
    onPacket (channel, bytes, from, end) {
      if (isLeaving) return
      if (channel === channels?.data) video?.packet(bytes, from, end)
      else if (channel === channels?.control) video?.control(bytes.subarray(from, end))
    }
  })

  function report (): void {
    const packet = video?.report()
    if (packet === undefined || channels === undefined) return
    write(Buffer.concat([Buffer.of(DOLLAR, channels.control, packet.length >> 8, packet.length & 0xFF), packet]))
  }

  function stopTimers (): void {
    clearTimeout(stall)
    for (const timer of timers) clearInterval(timer)
  }

  return {
    get wasHeard () { return wasHeard },
    take (piece) {
      wasHeard = true
      parse(piece)
    },
    async play (url) {
      session = await openSession(requests, url, (track, chosen) => {
        channels = chosen
        video = createVideoReceiver({
          ...options,
          track,
          onUnit (unit) {
            stall.refresh()
            onUnit(unit)
          }
        })
      })
      const { keepAlive, timeoutMs, play } = session
      await play()
      if (isLeaving) return
      timers.push(setInterval(report, REPORT_MS).unref(), setInterval(keepAlive, timeoutMs / 2).unref())
    },
    async leave () {
      isLeaving = true
      stopTimers()
      await session?.teardown()
    },
    close (reason) {
      stopTimers()
      requests.close(reason)
    }
  }
}
