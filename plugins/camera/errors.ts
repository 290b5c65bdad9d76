import { defineError, NotConnected, type ServiceError } from '../../core/index.js'
import { RESOLUTIONS } from './frame.js'

export const NoCamera = defineError<[detail: string]>('PRN_ERR_NO_CAMERA', '%s', 400)
export const StreamFailed = defineError<[detail: string]>('PRN_ERR_STREAM_FAILED', '%s', 400)
export const InvalidResolution = defineError<[detail: string]>('PRN_ERR_INVALID_RESOLUTION', '%s', 400)
export const InvalidQuality = defineError<[detail: string]>('PRN_ERR_INVALID_QUALITY', '%s', 400)
export const TooManyViewers = defineError<[most: number]>(
  'PRN_ERR_TOO_MANY_VIEWERS', 'This stream already has %d viewers, the maximum', 503)

/** All surfaces return these with the code as `error` and the message as `detail`. */
const coded = (error: ServiceError): ServiceError => error.with({ error: error.slug, detail: error.message })

export const noCamera = (detail: string): ServiceError => coded(new NoCamera(detail))
export const streamFailed = (detail: string, cause?: unknown): ServiceError =>
  coded(new StreamFailed(detail, { cause }))
export const invalidResolution = (given: unknown): ServiceError => coded(new InvalidResolution(
  `resolution must be one of ${RESOLUTIONS.join(', ')}, got ${shown(given)}`))
export const invalidQuality = (given: unknown): ServiceError => coded(new InvalidQuality(
  `quality must be an integer from 1 to 100 in plain digits, got ${shown(given)}`))
export const noAddress = (printer: string): ServiceError =>
  new NotConnected(printer).with({ error: 'not_connected', detail: 'Printer hostname is not set' })

const LONGEST_SHOWN = 40
const shown = (given: unknown): string => {
  const text = typeof given === 'string' ? `"${given}"` : JSON.stringify(given) ?? 'nothing'
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
