import type { RunningSession, SessionDeps } from '../printer/index.js'
import type { PrinterConfig } from '../printer/types.js'
import type { Limits, SkippedPlugin } from './types.js'

/** External dependencies of the kernel; tests replace them. */
export interface KernelDependencies {
  readonly createSession: (config: PrinterConfig, deps: SessionDeps) => RunningSession
  /** ms since the epoch. */
  readonly now: () => number
  /** The configuration file, against which outside plugins are resolved and which management edits. */
  readonly configFile: string
  /** Receives log lines in addition to the file. */
  readonly logEcho: NodeJS.WritableStream
  /** Called for problems that do not prevent the start. */
  readonly warn: (message: string) => void
  /** Time limits for plugins. */
  readonly limits: Partial<Limits>
  /** Outside plugins that are skipped because they failed before. */
  readonly skipped: readonly SkippedPlugin[]
  /** Skips all outside plugins. */
  readonly safe: boolean
  /** Calls fail if an operation's answer does not fit its output schema: for tests. Otherwise it is logged. */
  readonly strictOutputs: boolean
}
