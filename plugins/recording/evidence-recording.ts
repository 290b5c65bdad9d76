import type { Dispose, PrinterSession } from '../../core/index.js'
import type { Alert } from '../alerts/index.js'
import type { CameraManager } from '../camera/index.js'
import { createUnalertedErrors, markOf, requiresEvidence, unalertedMark } from './evidence.js'
import type { RecentShots } from './recent-shots.js'
import type { Recorder } from './recorder.js'
import type { AlertMark } from './schemas.js'

export interface EvidenceRecordingDeps {
  readonly camera: Pick<CameraManager, 'protocol'>
  readonly recorder: Pick<Recorder, 'recordEvidence'>
  readonly recent: Pick<RecentShots, 'last'>
  /** Whether evidence of a printer is recorded. */
  readonly isWanted: (printer: string) => boolean
  readonly now: () => number
}

/** Records evidence of alerts, and of serious errors that raise none. */
export class EvidenceRecording {
  readonly #deps: EvidenceRecordingDeps
  readonly #unalerted = createUnalertedErrors()

  constructor (deps: EvidenceRecordingDeps) { this.#deps = deps }

  /** Watches a printer for errors that raise no alert. */
  follow (session: PrinterSession): Dispose {
    return session.events.on('state', state => {
      const at = this.#deps.now()
      if (this.#unalerted.update(session.name, state, at)) this.#record(session, unalertedMark(at))
    })
  }

  alerted (session: PrinterSession, alert: Alert): void {
    if (requiresEvidence(alert, session.state)) this.#record(session, markOf(alert))
  }

  forget (printer: string): void { this.#unalerted.forget(printer) }

  #record (session: PrinterSession, mark: AlertMark): void {
    const { camera, recorder, recent, isWanted } = this.#deps
    if (camera.protocol(session) === undefined || !isWanted(session.name)) return
    recorder.recordEvidence(session, mark, recent.last(session))
  }
}
