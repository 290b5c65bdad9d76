import { PAYLOAD_TYPE } from './rtp.js'

/** Name of the only track. */
export const TRACK = 'track1'

/** Parameter sets of a decoder, as NAL units. */
export interface ParameterSets { readonly sps: Buffer, readonly pps: readonly Buffer[] }

export interface Description {
  readonly sets: ParameterSets
  /** Whether it includes the parameter sets. */
  readonly includesSets: boolean
  /** Address of the camera. */
  readonly address: string
  /** Session id of this description. */
  readonly session: number
}

/** Describes the only track, video (RFC 8866, RFC 6184). */
export function writeSdp ({ sets: { sps, pps }, includesSets, address, session }: Description): string {
  const profile = sps.toString('hex', 1, 4).toUpperCase()
  const units = [sps, ...pps].map(unit => unit.toString('base64'))
  const sets = includesSets ? `;sprop-parameter-sets=${units.join(',')}` : ''
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
