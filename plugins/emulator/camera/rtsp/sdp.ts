import type { HostileSdp } from '../camera-fault-injector.js'
import type { ParameterSets } from '../video/types.js'
import { PAYLOAD_TYPE } from './rtp.js'

/** Name of the one track. */
export const TRACK = 'track1'

export interface Description {
  readonly sets: ParameterSets
  /** Whether it tells the parameter sets. */
  readonly tellsSets: boolean
  /** Of the camera. */
  readonly address: string
  /** Number of this description. */
  readonly session: number
}

/** Describes the one track of video (RFC 8866, RFC 6184). */
export function describeStream ({ sets: { sps, pps }, tellsSets, address, session }: Description): string {
  const profile = sps.toString('hex', 1, 4).toUpperCase()
  const sets = tellsSets ? `;sprop-parameter-sets=${sps.toString('base64')},${pps.toString('base64')}` : ''
  return [
    'v=0',
    `o=- ${session} 1 IN IP4 ${address}`,
    's=Live view',
    't=0 0',
    'a=type:broadcast',
    'a=control:*',
    'a=range:npt=now-',
    `m=video 0 RTP/AVP ${PAYLOAD_TYPE}`,
    'c=IN IP4 0.0.0.0',
    `a=rtpmap:${PAYLOAD_TYPE} H264/90000`,
    `a=fmtp:${PAYLOAD_TYPE} packetization-mode=1;profile-level-id=${profile}${sets}`,
    `a=control:${TRACK}`,
    ''
  ].join('\r\n')
}

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
