import sharp from 'sharp'
import { createEmitter, type PrinterSession, type PrinterState, type SessionEvents } from '../../../../core/index.js'
import type { BedPose } from '../../../../plugins/health/analysis/plate-mask/bed-view.js'
import { Monitor, type MonitorDeps } from '../../../../plugins/health/monitor/monitor.js'
import { createReferences } from '../../../../plugins/health/monitor/reference.js'
import type { Persistence } from '../../../../plugins/health/monitor/persistence.js'
import type { Frame, HealthResult, Profile, Verdict } from '../../../../plugins/health/types.js'
import type { AnalysisWorker } from '../../../../plugins/health/worker/analysis-worker.js'
import type { Outline } from '../../../../plugins/toolpath/index.js'
import { modelByName } from '../../../../core/index.js'

export const uniform = (red: number, green = red, blue = red, width = 1280, height = 720): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: red, g: green, b: blue } } }).jpeg().toBuffer()

interface Job {
  gcodeState: string
  stage: number
  layer: number
  percent: number
  subtaskName: string
}

/** As much of a state as the monitor looks at. */
export const stateOf = ({
  gcodeState = 'RUNNING', stage = 0, layer = 50,
  percent = 25, subtaskName = 'Part'
}: Partial<Job> = {}): PrinterState => ({
  receivedAt: 0,
  job: {
    gcodeState, stage: { id: stage, name: '' }, layer, percent, totalLayers: 375, remainingMinutes: 60, subtaskName, gcodeFile: '', speedLevel: 2
  },
  heat: {
    nozzle: { actual: 220, target: 220 },
    bed: { actual: 60, target: 60 },
    chamber: {
      actual: 0,
      target: 0,
      sensor: false
    }
  },
  fans: { part: 100, aux: 0, exhaust: 0 },
  doors: { sensor: false, doorOpen: false, lidOpen: false },
  lights: { nodes: [], mode: 'on' },
  detectors: {
    spaghetti: { enabled: false, sensitivity: 'medium' },
    nozzleClumping: { enabled: false },
    airPrinting: { enabled: false }
  },
  device: { nozzleDiameterMm: 0.4 },
  errors: { printError: 0, faults: [] },
  ams: { units: [] },
  spools: [],
  extruders: [],
  activeTray: { id: -1, amsId: -1, slot: -1, tool: -1, external: false }
}) as unknown as PrinterState

const quiet = { info () {}, warn () {}, error () {}, debug () {} } as unknown as MonitorDeps['log']

/** A monitor whose clock, camera, printer and disk are in the hands of the test. */
export function bench (analyst: AnalysisWorker, {
  profile = 'improved' as Profile, disk = new Map<string,
  HealthResult>()
} = {}) {
  const clock = { ms: 0 }
  const told: { verdict: Verdict | undefined, score: number }[] = []
  const events = createEmitter<SessionEvents>()
  const controller = new AbortController()
  const session = {
    name: 'p1s',
    model: modelByName('P1S'),
    state: undefined as PrinterState | undefined,
    events,
    signal: controller.signal,
    service: 'CONNECTED',
    live: true
  }
  const camera: { jpeg: Buffer | Error } = { jpeg: new Error('no picture') }
  const persistence: Persistence = {
    load: async printer => disk.get(printer),
    save: async (printer, result) => { if (result) disk.set(printer, result); else disk.delete(printer) },
    close: async () => {}
  }
  /** What the toolpath tells, and what is stored of the camera. */
  const expected: { outline?: Outline, pose?: BedPose } = {}
  let taken = 0
  const references = createReferences(() => clock.ms)
  const monitor = new Monitor({
    profile,
    analyst,
    references,
    persistence,
    frame: async (): Promise<Frame> => {
      taken++
      if (camera.jpeg instanceof Error) throw camera.jpeg
      return { jpeg: camera.jpeg, capturedAt: clock.ms }
    },
    project: async () => ({}),
    detect: async () => [],
    outline: async () => expected.outline,
    poses: {
      load: async () => expected.pose,
      save: async (_printer, pose) => { expected.pose = pose }
    },
    onVerdict: (_printer, verdict, score) => told.push({ verdict, score }),
    onFrame: () => {},
    onResult: () => {},
    now: () => 1_700_000_000_000 + clock.ms,
    steady: () => clock.ms,
    log: quiet
  })
  const stop = monitor.follow(session as unknown as PrinterSession)
  return {
    clock,
    told,
    camera,
    expected,
    disk,
    monitor,
    references,
    get taken () { return taken },
    get track () { return monitor.of('p1s') },
    report (job: Partial<Job> = {}) {
      const before = session.state
      session.state = stateOf(job)
      events.emit('state', session.state, before)
    },
    tick: () => monitor.tick(session as unknown as PrinterSession),
    stop () { stop(); controller.abort() }
  }
}
