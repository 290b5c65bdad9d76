import type { PrinterSession } from '../../core/index.js'
import { CameraError } from './upstream/camera-error.js'
import { SWITCH_IT_ON } from './upstream/rtsp-errors.js'

export type Protocol = 'rtsps' | 'tcp_tls'

interface Reported { readonly rtsp_url?: unknown, readonly ipcam_dev?: unknown }
const reportedOf = ({ raw }: PrinterSession): Reported => (raw.ipcam ?? {}) as Reported

/** By the model, else by what the printer reports; undefined without a camera or without such a report. */
export function protocolOf (session: PrinterSession): Protocol | undefined {
  const { camera } = session.model
  if (camera !== 'probe') return camera
  const { rtsp_url: url, ipcam_dev: device } = reportedOf(session)
  if (typeof url === 'string') return 'rtsps'
  return device === '1' ? 'tcp_tls' : undefined
}

/** Why the printer has no camera, as a sentence. */
export const cameraless = ({ name, model, state }: PrinterSession): string => state === undefined
  ? `'${name}' has not said yet whether it has a camera`
  : `${model.name} has no camera that it reports`

/** @throws CameraError when the printer reports that its live view is off */
export function checkLiveView (session: PrinterSession): void {
  if (protocolOf(session) !== 'rtsps' || reportedOf(session).rtsp_url !== 'disable') return
  throw new CameraError('live_view_off', `'${session.name}' reports that its ${SWITCH_IT_ON}`)
}

/** The camera's address for display: the password is masked. */
export const shownAddress = ({ host, ports }: PrinterSession['config']): string =>
  `rtsps://bblp:****@${host.includes(':') ? `[${host}]` : host}:${ports.rtsps}/streaming/live/1`
