import type { Test } from 'tap'
import type { PrinterConfig } from '../../../../core/index.js'
import { rtspsCamera } from '../../../../plugins/camera/upstream/rtsps-camera.js'
import type { UpstreamWaits } from '../../../../plugins/camera/upstream/types.js'
import type { AccessUnit } from '../../../../plugins/camera/video/types.js'
import { CODE, X1_SERIAL } from './boot.js'

export interface VideoWatch {
  readonly units: AccessUnit[]
  /** Why it ended. */
  readonly ended: Promise<Error & { kind?: string }>
  /** Ends it as somebody does who wants no more pictures. */
  stop (): Promise<unknown>
}

export interface VideoWatchOptions {
  readonly timeouts?: Partial<UpstreamWaits>
  readonly config?: Partial<PrinterConfig>
  readonly onUnit?: (unit: AccessUnit) => void
}

const WAITS: UpstreamWaits = { connect: 10_000, stall: 20_000, grace: 2_000 }

/** Looks at the video behind a port of this machine, as the printer with the serial of these tests. */
export function watchVideo (t: Pick<Test, 'teardown'>, port: number, options: VideoWatchOptions = {}): VideoWatch {
  const { timeouts, config, onUnit } = options
  const units: AccessUnit[] = []
  const pins = new Map<string, string>()
  const controller = new AbortController()
  const ended = rtspsCamera({
    config: {
      name: 'cam',
      host: '127.0.0.1',
      serial: X1_SERIAL,
      accessCode: CODE,
      ports: { mqtt: 9, ftps: 9, camera: 9, rtsps: port },
      tls: { mode: 'pin' },
      ...config
    },
    pins: { get: serial => pins.get(serial), set: (serial, seen) => { pins.set(serial, seen) } },
    signal: controller.signal,
    timeouts: { ...WAITS, ...timeouts },
    now: Date.now,
    nextSeq: () => units.length + 1,
    onUnit (unit) {
      units.push(unit)
      onUnit?.(unit)
    }
  }).catch((error: Error) => error)
  const stop = () => {
    controller.abort(new Error('enough'))
    return ended
  }
  t.teardown(stop)
  return { units, ended, stop }
}

const START_CODE = Buffer.from([0, 0, 0, 1])

/** What decoders read from files: the sets of a format before its key pictures, start codes before all. */
export const annexB = (units: readonly AccessUnit[]): Buffer => Buffer.concat(units
  .flatMap(({ key, nalus, format }) => key ? [format.sps, ...format.pps, ...nalus] : nalus)
  .flatMap(nal => [START_CODE, nal]))
