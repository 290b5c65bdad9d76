import { ConnectionError, wordsOf } from '../../../core/index.js'

/** Why a camera gives no pictures, told apart by what helps. */
export type CameraCause =
  /** Waiting does not help: somebody must do something. */
  | 'access_code_rejected' | 'certificate' | 'unreachable' | 'live_view_off' | 'no_decoder' | 'refused'
  | 'unsupported'
  /** May pass. */
  | 'lost' | 'stalled' | 'bad_data' | 'decoder_failed'

const LASTING: ReadonlySet<CameraCause> =
  new Set(['access_code_rejected', 'certificate', 'unreachable', 'live_view_off', 'no_decoder', 'refused', 'unsupported'])

/** Ends one connection to a camera, with a sentence for the user. */
export class CameraError extends Error {
  readonly kind: CameraCause
  constructor (cause: CameraCause, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CameraProblem'
    this.kind = cause
  }

  /** Another attempt would only fail the same way. */
  get lasting (): boolean { return LASTING.has(this.kind) }
}

const CERTIFICATE = new Set(['wrong_serial', 'certificate_changed', 'certificate_untrusted'])

/** Turns whatever ended a connection into a reason in words. */
export function toCameraError (error: unknown): CameraError {
  if (error instanceof CameraError) return error
  const message = wordsOf(error)
  if (!(error instanceof ConnectionError)) return new CameraError('lost', message, { cause: error })
  return new CameraError(CERTIFICATE.has(error.code) ? 'certificate' : 'unreachable', message, { cause: error })
}
