import { tmpdir } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { Type } from 'typebox'
import { definePlugin, openBrowser, type OpenBrowser, type Plugin, type PrinterSession } from '../../core/index.js'
import type { JobHealth } from '../camera/index.js'
import type {} from '../alerts/index.js' // the event health:verdict
import type { Print } from '../history/index.js'
import type { HealthRecord } from '../telemetry/index.js'
import { createCollector, type Collector } from './collector.js'
import { healthTrend } from './trend-panel.js'
import { Monitor, type MonitorDeps } from './monitor/monitor.js'
import { createPersistence } from './monitor/persistence.js'
import { createReferences } from './monitor/reference.js'
import { createOpener } from './open-images.js'
import { createReporter } from './report.js'
import { healthVerdict } from './resource.js'
import routes from './routes.js'
import { detectionsOf, frameOf, projectOf } from './inputs.js'
import tools from './tools.js'
import { PROFILES, type HealthDetector } from './types.js'
import { createAnalysisWorker } from './worker/analysis-worker.js'

export { defineHealthDetector } from './types.js'
export type { DetectedBox, Detection, DetectOptions, Frame, HealthDetector, HealthResult, JobContext, Profile, Verdict } from './types.js'
export type { Report, ReportOptions } from './report.js'

declare module 'prnd' {
  interface Services {
    health: {
      readonly monitor: Pick<Monitor, 'of' | 'records' | 'tick'>
      readonly report: ReturnType<typeof createReporter>
      readonly open: ReturnType<typeof createOpener>
    }
    /** Detectors that are known only once their plugin is set up. */
    healthModels: { readonly detectors: readonly HealthDetector[] }
  }
  interface Contributions { healthDetectors: HealthDetector }
  interface Events {
    /** The monitor has judged a printer's job: its new record, and the one before of the same job. */
    health: [printer: string, now: HealthRecord, before: HealthRecord | undefined]
  }
}

const Options = Type.Object({
  profile: Type.Enum(PROFILES, { default: 'improved', description: 'How pictures are judged' }),
  monitor: Type.Boolean({ default: true, description: 'Look at every print once a minute' }),
  collect: Type.Boolean({
    default: false,
    description: 'Keep the pictures that were judged, on this machine only, in folders by how the print ended'
  })
})

/** What a preset or a test may set that no operator writes down. */
interface PresetOverrides {
  /** Where pictures for the viewer are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
  /** ms on a clock that never jumps. */
  readonly steady?: () => number
}

/** Watches prints through the camera. */
export const healthWith = (outlets: PresetOverrides = {}): Plugin<typeof Options> => definePlugin({
  name: 'health',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Watches prints through the camera: verdicts, chances, pictures',
  optional: ['camera', 'projects', 'healthModels'],
  provides: ['health', 'jobHealth'],
  uses: ['camera', 'disk'],
  options: Options,
  contributes (_options, services) {
    const records = (printer: string) => services.health.monitor.records(printer)
    return { routes, tools, resources: [healthVerdict], healthHistory: [{ records }], panels: [healthTrend(records)] }
  },
  setup ({ kernel, log, options, printers, events, optional, signal, folder, contributed, provide, onClose }) {
    const { folder: pictures = tmpdir(), openBrowser: show = openBrowser, steady = () => performance.now() } = outlets
    const analyst = createAnalysisWorker()
    const references = createReferences(steady)
    const persistence = createPersistence(folder, message => log.warn(message))
    const collector = options.collect ? createCollector(folder, kernel.now, message => log.warn(message)) : undefined
    if (collector) events.on('history:print', (printer, { result }) => collectEnd(collector, printer, result))
    const detectors = [...contributed('healthDetectors'), ...optional.healthModels?.detectors ?? []]
    const guardOf = (detector: HealthDetector) =>
      kernel.pluginFaults.guard(kernel.originOf(detector), 'health detector', detector.name)
    const deps = {
      profile: options.profile,
      analyst,
      references,
      persistence,
      frame: (session: PrinterSession, maxAgeMs: number) =>
        frameOf(optional.camera, session, maxAgeMs, AbortSignal.any([signal, session.signal])),
      project: (session: PrinterSession) => projectOf(optional.projects, session, log),
      detect: (...[frame, context, about]: Parameters<MonitorDeps['detect']>) =>
        detectionsOf(detectors, frame, context, { ...about, signal }, guardOf),
      onVerdict: (printer: string, verdict: 'clean' | 'warning' | 'critical' | undefined, score: number) =>
        events.emit('health:verdict', printer, { verdict, score }),
      onFrame: (printer: string, jpeg: Buffer, percent: number) => { void collector?.keep(printer, jpeg, percent) },
      onResult: (...told: [string, HealthRecord, HealthRecord | undefined]) => events.emit('health', ...told),
      now: kernel.now,
      steady,
      log
    }
    const monitor = new Monitor(deps)
    if (options.monitor) printers.eachLocal(session => monitor.follow(session))
    events.on('printer:forgotten', printer => monitor.forget(printer))
    provide('health', {
      monitor,
      report: createReporter(deps, monitor),
      open: createOpener({ monitor, analyst, folder: pictures, openBrowser: show })
    })
    provide('jobHealth', jobHealthOf(monitor, log))
    onClose(async () => {
      await analyst.close()
      await collector?.settled()
      await persistence.close()
    })
  }
})

function collectEnd (collector: Collector, printer: string, result: Print['result']): void {
  if (result === 'running') return
  void collector.end(printer, result === 'finished' ? 'good' : result === 'failed' ? 'failing' : 'unknown')
}

/** What the live page shows. */
export const jobHealthOf = (monitor: Pick<Monitor, 'of'>, log: FastifyBaseLogger): JobHealth => ({
  result: printer => monitor.of(printer).result,
  async image (printer, kind) {
    try {
      return (await monitor.of(printer).pictures?.live())?.[kind]
    } catch (error) {
      log.error({ err: error, printer }, 'the pictures of the job monitor cannot be made')
      return undefined
    }
  }
})

export default healthWith()
