import { CameraError } from './camera-error.js'

/** The video track in a session description (RFC 8866, RFC 6184). */
export interface VideoTrack {
  readonly payloadType: number
  /** URLs of the track and of the whole session; relative to the URL of the description. */
  readonly control: string | undefined
  readonly sessionControl: string | undefined
  /** NAL units; empty when the camera sends them in the stream only. */
  readonly parameterSets: readonly Buffer[]
}

interface Section {
  readonly media: string
  readonly payloadTypes: readonly number[]
  readonly attributes: string[]
}

const MOST_SECTIONS = 16
const MOST_ATTRIBUTES = 128
const MOST_TYPES = 32
const MOST_SETS = 32
const MOST_PAYLOAD_TYPE = 127

/**
 * Selects the H.264 video of a description.
 * @throws CameraError when there is none that can be played
 */
export function readSdp (text: string): VideoTrack {
  const { session, sections } = split(text)
  const videos = sections.filter(({ media }) => media === 'video')
  for (const section of videos) {
    const payloadType = section.payloadTypes.find(type => codecOf(section, type) === 'H264')
    if (payloadType === undefined) continue
    const parameters = attributesOf(section.attributes, `fmtp:${payloadType}`).join(';')
    checkMode(parameters)
    return {
      payloadType,
      control: controlOf(section.attributes),
      sessionControl: controlOf(session),
      parameterSets: parameterSetsOf(parameters)
    }
  }
  throw noVideo(videos)
}

function split (text: string) {
  const session: string[] = []
  const sections: Section[] = []
  let attributes = session
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.startsWith('a=') && attributes.length < MOST_ATTRIBUTES) attributes.push(line.slice(2))
    if (!line.startsWith('m=')) continue
    if (sections.length === MOST_SECTIONS) break
    const [media = '', , , ...types] = line.slice(2).trim().split(/\s+/)
    const payloadTypes = types.slice(0, MOST_TYPES).map(Number).filter(type => type >= 0 && type <= MOST_PAYLOAD_TYPE)
    sections.push({ media, payloadTypes, attributes: attributes = [] })
  }
  return { session, sections }
}

/** The values of all attributes with that name. */
function attributesOf (attributes: readonly string[], name: string): string[] {
  return attributes
    .filter(text => text.startsWith(name) && (text.length === name.length || /[:\s]/.test(text.charAt(name.length))))
    .map(text => text.slice(name.length + 1).trim())
}

const controlOf = (attributes: readonly string[]): string | undefined => attributesOf(attributes, 'control')[0]

const codecOf = ({ attributes }: Section, type: number): string | undefined =>
  attributesOf(attributes, `rtpmap:${type}`)[0]?.split('/')[0]?.toUpperCase()

const parameterOf = (parameters: string, name: string): string | undefined => parameters.split(';')
  .map(part => part.trim()).find(part => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)

/** Mode 2 sends NAL units in another order than decoding order. */
function checkMode (parameters: string): void {
  const mode = parameterOf(parameters, 'packetization-mode') ?? '0'
  if (mode === '0' || mode === '1') return
  throw new CameraError('unsupported',
    `The camera sends its video interleaved (packetization mode ${shown(mode)}), which is not supported`)
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const parameterSetsOf = (parameters: string): Buffer[] =>
  (parameterOf(parameters, 'sprop-parameter-sets') ?? '').split(',', MOST_SETS).map(set => set.trim())
    .filter(set => BASE64.test(set)).map(set => Buffer.from(set, 'base64'))

function noVideo (videos: readonly Section[]): CameraError {
  if (videos.length === 0) return new CameraError('unsupported', 'The camera offers no video')
  const codecs = new Set(videos.flatMap(video => video.payloadTypes.map(type => codecOf(video, type) ?? `type ${type}`)))
  return new CameraError('unsupported',
    `The camera sends its video as ${shown([...codecs].join(', ') || 'nothing known')}; only H264 is supported`)
}

const LONGEST_SHOWN = 60
/** A camera's own text, without characters that would disturb a log. */
const shown = (text: string): string => text.slice(0, LONGEST_SHOWN).replace(/[^ -~]/g, '?')
