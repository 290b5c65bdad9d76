import { ConnectionError, wordsOf } from '../../../core/index.js'

/** Why a camera sends no pictures, classified by the remedy. */
export type CameraCause =
  /** Retrying does not help: the user has to act. */
  | 'access_code_rejected' | 'certificate' | 'unreachable' | 'live_view_off' | 'no_decoder' | 'refused'
  | 'unsupported'
  /** Temporary. */
  | 'lost' | 'stalled' | 'bad_data' | 'decoder_failed'

const LASTING: ReadonlySet<CameraCause> =
  new Set(['access_code_rejected', 'certificate', 'unreachable', 'live_view_off', 'no_decoder', 'refused', 'unsupported'])

/** Ends one connection to a camera, with a message for the user. */
export class CameraError extends Error {
  readonly kind: CameraCause
  constructor (cause: CameraCause, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CameraError'
    this.kind = cause
  }

  /** A retry would fail the same way. */
  get lasting (): boolean { return LASTING.has(this.kind) }
}

const CERTIFICATE = new Set(['wrong_serial', 'certificate_changed', 'certificate_untrusted'])

/** Turns any error that ended a connection into a CameraError. */
export function toCameraError (error: unknown): CameraError {
  if (error instanceof CameraError) return error
  const message = wordsOf(error)
  if (!(error instanceof ConnectionError)) return new CameraError('lost', message, { cause: error })
  return new CameraError(CERTIFICATE.has(error.code) ? 'certificate' : 'unreachable', message, { cause: error })
}
