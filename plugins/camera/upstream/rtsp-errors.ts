import { wordsOf } from '../../../core/index.js'
import { CameraError, toCameraError } from './camera-error.js'

// Messages for what ends a connection to a video camera. Their kinds are classified by the remedy.

export const SWITCH_IT_ON = 'live view is off. Switch on "LAN Mode Liveview" on the printer\'s screen.'

export const wrongCode = () => new CameraError('access_code_rejected',
  'The camera rejected the access code. It is shown on the printer\'s screen and changes with LAN-only mode.')

export const redirected = () => new CameraError('bad_data',
  'The camera redirects to another address, which is not followed')

export const refused = (method: string, words: string, server: string | undefined) => new CameraError(
  /^403/.test(words) ? 'access_code_rejected' : 'lost',
  `The camera refused ${method}: ${words}${server ? ` (${server})` : ''}`)

export const unanswered = (method: string, ms: number) => new CameraError('stalled',
  `The camera did not answer ${method} within ${ms / 1_000} s`)

export const noPicture = (ms: number) => new CameraError('stalled',
  `No picture came for ${ms / 1_000} s; the camera is connected but sends no decodable video`)

export const endedByCamera = () => new CameraError('lost', 'The camera ended the stream')

export const deaf = () => new CameraError('bad_data', 'The camera does not read what it is sent')

/** The camera closed the connection; before its first message, that means live view is not allowed. */
export const closed = (where: string, wasHeard: boolean, failure: Error | undefined): CameraError => wasHeard
  ? new CameraError('lost', `${where}: the camera connection was lost${failure ? ` (${wordsOf(failure)})` : ''}`)
  : new CameraError('live_view_off', `${where} closes the camera connection at once: ${SWITCH_IT_ON}`)

/** No connection was established. A printer whose live view is off refuses it, or resets during the handshake. */
export function notConnected (error: unknown, where: string): CameraError {
  const problem = toCameraError(error)
  const { code } = ((problem.cause as Error | undefined)?.cause ?? {}) as { code?: string }
  return code === 'ECONNREFUSED' || code === 'ECONNRESET'
    ? new CameraError('live_view_off', `${where} refuses the camera connection: the printer is off, or ${SWITCH_IT_ON}`,
      { cause: error })
    : problem
}
