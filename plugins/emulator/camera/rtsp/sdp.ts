import type { ParameterSets } from '../video/types.js'
import { PAYLOAD_TYPE } from './rtp.js'

export const TRACK = 'track1'

/** Describes the one track of video (RFC 8866, RFC 6184). */
export function describeStream ({ sps, pps }: ParameterSets, address: string, session: number): string {
  const profile = sps.toString('hex', 1, 4).toUpperCase()
  const sets = `${sps.toString('base64')},${pps.toString('base64')}`
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
    `a=fmtp:${PAYLOAD_TYPE} packetization-mode=1;profile-level-id=${profile};sprop-parameter-sets=${sets}`,
    `a=control:${TRACK}`,
    ''
  ].join('\r\n')
}
