import { PAYLOAD_TYPE, TRACK } from '../../../printer-servers/index.js'
import type { HostileSdp } from '../camera-fault-injector.js'

const ENDLESS_LINES = 40_000
const LONG_CHARS = 40_000
/** Reserved for documentation: nobody is there. */
const ELSEWHERE = 'rtsps://192.0.2.66:322/streaming/live/1/track1'

const SPOILERS: Readonly<Record<HostileSdp, (sdp: string) => string>> = {
  empty: () => '\r\n',
  'no-video': sdp => sdp.replace('m=video', 'm=audio').replace('H264', 'PCMU'),
  endless: sdp => sdp + 'a=fmtp:96 packetization-mode=1\r\nm=video 0 RTP/AVP 96\r\n'.repeat(ENDLESS_LINES),
  binary: sdp => sdp.replaceAll('=', '\0\x01=\x7f').replaceAll('\r\n', '\r\0\n'),
  numbers: sdp => sdp.replaceAll(`${PAYLOAD_TYPE}`, '99999999999999999999').replace('90000', '-1e309'),
  sets: sdp => sdp.replace(/profile-level-id=.*/, `profile-level-id=zz;sprop-parameter-sets=,,Zw==,${'A'.repeat(LONG_CHARS)}`),
  elsewhere: sdp => sdp.replace(`a=control:${TRACK}`, `a=control:${ELSEWHERE}`)
}

/** The same in a way that no client should trust. */
export const hostileDescription = (how: HostileSdp, sdp: string): string => SPOILERS[how](sdp)
