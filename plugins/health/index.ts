import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { createPoses } from './monitor/poses.js'
import { createReferences } from './monitor/reference.js'
import { createOpener } from './open-images.js'
import { createReporter } from './report.js'
import { healthResource } from './resource.js'
import routes from './routes.js'
import { detectionInputs, frameInput, outlineInput, projectInput, type MissingFiles } from './inputs.js'
import tools from './tools.js'
import { PROFILES, type HealthDetector } from './types.js'
import { openWatching, type Watching } from './watching.js'
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
      readonly watching: Pick<Watching, 'isWatched' | 'change'>
    }
    /** Detectors that exist only after the setup of their plugin, and may change while it runs. */
    healthModels: { readonly detectors: readonly HealthDetector[] }
  }
  interface Contributions { healthDetectors: HealthDetector }
  interface Events {
    /** The monitor has judged a printer's job: the new record, and the previous one of the same job. */
    health: [printer: string, record: HealthRecord, previous: HealthRecord | undefined]
  }
}

const Options = Type.Object({
  profile: Type.Enum(PROFILES, {
    default: 'improved',
    description: 'How pictures are judged. `reference` only serves to compare the service with the one that it replaces: ' +
      'on real pictures it cannot tell failures from good prints'
  }),
  monitor: Type.Boolean({ default: true, description: 'Analyse every print once a minute, on printers for which nobody has chosen on the page Monitor' }),
  comparePlate: Type.Boolean({
    default: false,
    description: 'Also compare pictures with what the toolpath says should be on the plate, on printers with a fixed camera'
  }),
  collect: Type.Boolean({
    default: false,
    description: 'Keep the pictures that were judged, on this machine only, in folders by how the print ended'
  })
})

/** Overrides for presets and tests that are no configuration options. */
interface PresetOverrides {
  /** Folder for the pictures that a viewer opens. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
  /** Monotonic clock, ms. */
  readonly steady?: () => number
}

/** Watches prints through the camera. */
export const healthWith = (overrides: PresetOverrides = {}): Plugin<typeof Options> => definePlugin({
  name: 'health',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Watches prints through the camera: verdicts, chances, pictures',
  optional: ['camera', 'projects', 'toolpath', 'healthModels'],
  provides: ['health', 'jobHealth'],
  uses: ['camera', 'disk'],
  options: Options,
  contributes (_options, services) {
    const records = (printer: string) => services.health.monitor.records(printer)
    return { routes, tools, resources: [healthResource], healthHistory: [{ records }], panels: [healthTrend(records)] }
  },
  async setup ({ kernel, log, options, printers, events, optional, signal, folder, contributed, provide, onClose }) {
    const { folder: pictures = tmpdir(), openBrowser: show = openBrowser, steady = () => performance.now() } = overrides
    const analyst = createAnalysisWorker()
    const references = createReferences(steady)
    const persistence = createPersistence(folder, message => log.warn(message))
    const collector = options.collect ? createCollector(folder, kernel.now, message => log.warn(message)) : undefined
    if (collector) events.on('history:print', (printer, { result }) => collectEnd(collector, printer, result))
    const detectors = () => [...contributed('healthDetectors'), ...optional.healthModels?.detectors ?? []]
    const missing: MissingFiles = new Map()
    events.on('printer:forgotten', printer => missing.delete(printer))
    const guardOf = (detector: HealthDetector) =>
      kernel.pluginFaults.guard(kernel.originOf(detector), 'health detector', detector.name)
    const deps = {
      profile: options.profile,
      analyst,
      references,
      persistence,
      frame: (session: PrinterSession, maxAgeMs: number) =>
        frameInput(optional.camera, session, maxAgeMs, AbortSignal.any([signal, session.signal])),
      project: (session: PrinterSession) => projectInput(optional.projects, session, log),
      outline: async (session: PrinterSession, job: number) => {
        if (!options.comparePlate) return undefined
        const sources = { projects: optional.projects, toolpath: optional.toolpath }
        return await outlineInput(sources, { session, job, missing }, log)
      },
      poses: createPoses(folder, message => log.warn(message)),
      detect: (...[frame, context, about]: Parameters<MonitorDeps['detect']>) =>
        detectionInputs(detectors(), frame, context, { ...about, signal }, guardOf),
      onVerdict: (printer: string, verdict: 'clean' | 'warning' | 'critical' | undefined, score: number) =>
        events.emit('health:verdict', printer, { verdict, score }),
      onFrame: (printer: string, jpeg: Buffer, percent: number) => { void collector?.keep(printer, jpeg, percent) },
      onResult: (...args: [string, HealthRecord, HealthRecord | undefined]) => events.emit('health', ...args),
      now: kernel.now,
      steady,
      log
    }
    const monitor = new Monitor(deps)
    const watching = await openWatching({
      path: join(await folder(), 'settings.json'),
      usual: options.monitor,
      monitor,
      warn: message => log.warn(message),
      onOff: printer => events.emit('health:verdict', printer, { verdict: undefined, score: 0 })
    })
    printers.eachLocal(watching.follow)
    events.on('printer:forgotten', printer => {
      monitor.forget(printer)
      watching.forget(printer).catch((error: Error) => log.error({ err: error, printer }, 'the choice whether it is watched cannot be removed'))
    })
    provide('health', {
      monitor,
      report: createReporter(deps, monitor),
      open: createOpener({ monitor, analyst, folder: pictures, openBrowser: show }),
      watching
    })
    provide('jobHealth', jobHealthOf(monitor, log))
    onClose(async () => {
      await analyst.close()
      await collector?.settled()
      await Promise.all([persistence.close(), watching.settled()])
    })
  }
})

function collectEnd (collector: Collector, printer: string, result: Print['result']): void {
  if (result === 'running') return
  void collector.end(printer, result === 'finished' ? 'good' : result === 'failed' ? 'failing' : 'unknown')
}

/** Adapts the monitor to the camera's live page. */
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
