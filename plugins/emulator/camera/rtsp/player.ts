import { randomInt } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { createRtpStream, interleave, isFragment, RTP_CLOCK_HZ, type RtpStream } from '../../../printer-servers/index.js'
import type { CameraFaultInjector } from '../camera-fault-injector.js'
import type { CameraSettings } from '../options.js'
import type { StreamPicture } from '../video/types.js'
import { deliver, spoilUnits } from './spoil.js'

/** Sends the pictures of one session. */
export interface Player {
  readonly rtp: RtpStream
  /** RTP time of a moment, ms of the clock that pictures have. */
  time (at: number): number
  play (): void
  /** Starts with earlier pictures; has no effect once one was sent. */
  catchUp (pictures: readonly StreamPicture[]): void
  picture (picture: StreamPicture): void
  stop (): void
}

export interface PlayerOptions {
  readonly socket: TLSSocket
  readonly channels: readonly [data: number, control: number]
  readonly settings: Pick<CameraSettings, 'begins' | 'parameterSets' | 'timestamps'>
  readonly faultInjector: CameraFaultInjector
}

const REPORT_MS = 5000
/** Step between the timestamps of pictures sent at once, as no two of a stream may have the same. */
const STEP_MS = 1
/** A viewer with more unsent bytes than this gets nothing until the next key picture. */
const SLOW_BYTES = 1_500_000

export function createPlayer ({ socket, channels, settings, faultInjector }: PlayerOptions): Player {
  const [data, control] = channels
  const rtp = createRtpStream(randomInt(2 ** 32), randomInt(2 ** 16))
  const began = randomInt(2 ** 32)
  const waitsForKey = (): boolean => settings.begins === 'key' && !faultInjector.withoutKeys
  let isPlaying = false
  let isWaiting = waitsForKey()
  let sent = 0
  let reports: NodeJS.Timeout | undefined
  let frozen: number | undefined

  const time = (at: number): number => {
    const now = (began + Math.floor(at / 1000 * RTP_CLOCK_HZ)) >>> 0
    frozen = faultInjector.frozenClock || settings.timestamps === 'frozen' ? frozen ?? now : undefined
    return frozen ?? now
  }

  /** Sends half of a packet whose full length was announced. */
  const cutWithin = (packet: Buffer): void => {
    socket.write(interleave(data, packet).subarray(0, packet.length / 2))
    socket.destroySoon()
  }

  const send = ({ units, isKey, sets, at }: StreamPicture): void => {
    const whole = isKey && settings.parameterSets !== 'sdp' ? [sets.sps, sets.pps, ...units] : units
    const packets = rtp.packets(spoilUnits(whole, faultInjector), time(at))
    const cutAt = faultInjector.cutsFragments ? packets.findIndex(isFragment) : -1
    socket.write(deliver(data, cutAt < 0 ? packets : packets.slice(0, cutAt), faultInjector))
    sent++
    if (cutAt >= 0) cutWithin(packets[cutAt] as Buffer)
    else if (sent >= faultInjector.cutAfter) socket.destroySoon()
  }

  return {
    rtp,
    time,
    play () {
      isPlaying = true
      reports ??= setInterval(() => {
        if (socket.writable) socket.write(interleave(control, rtp.report(time(performance.now()), Date.now())))
      }, REPORT_MS).unref()
    },
    catchUp (pictures) {
      if (!isPlaying || !isWaiting || !socket.writable) return
      const last = pictures.at(-1)?.at ?? 0
      for (const [place, picture] of pictures.entries()) {
        send({ ...picture, at: last - (pictures.length - 1 - place) * STEP_MS })
      }
      isWaiting = pictures.length === 0
    },
    picture (picture) {
      if (!isPlaying || !socket.writable) return
      if (socket.writableLength > SLOW_BYTES) isWaiting = true
      else if (!isWaiting || picture.isKey || !waitsForKey()) { isWaiting = false; send(picture) }
    },
    stop () {
      clearInterval(reports)
      isPlaying = false
    }
  }
}
