// An alert engine with clocks of its own, fed with states that hold what rules look at.
import { pino } from 'pino'
import { createHmsCatalogue } from '../../../../core/printer/hms/index.js'
import { createPluginFaults } from '../../../../core/kernel/plugin-faults.js'
import type { Fault, HmsCatalogue, Job, PrinterState } from '../../../../core/index.js'
import { createEngine } from '../../../../plugins/alerts/engine.js'
import { rules as documented } from '../../../../plugins/alerts/rules/index.js'
import type { Alert, AnyAlertRule, HealthVerdict } from '../../../../plugins/alerts/index.js'

const EPOCH_MS = Date.UTC(2026, 0, 1)

const IDLE = {
  gcodeState: 'IDLE',
  subtaskName: '',
  gcodeFile: '',
  plate: -1,
  stage: { id: -1, name: '' },
  layer: 0,
  startedAt: undefined,
  endedAt: undefined
}

const NO_ERRORS = { printError: 0, faults: [] }

type JobPart = Partial<Omit<Job, 'gcodeState'>> & { readonly gcodeState?: string }

export const fault = (code: string, type: Fault['type'] = 'device_hms'): Fault =>
  ({ type, code, digits: code.replaceAll(/HMS_|-/g, ''), module: 'AMS', severity: 'Error', critical: true })
/** An error of the device, which makes the first of the others active. */
export const ERROR = fault('HMS_0300-8008', 'device_error')
export const HMS = fault('HMS_0700-2200-0002-0001')
export const OTHER_HMS = fault('HMS_0300-0100-0001-0007')
export const REFUSAL = fault('HMS_0502-400A', 'command_error')

export interface Desk {
  readonly alerts: Alert[]
  readonly logged: Record<string, unknown>[]
  /** Types of the alerts since the last call. */
  types (): string[]
  /** A report: parts left out are as before. */
  job (part: JobPart): void
  stage (id: number, name?: string): void
  faults (...faults: readonly Fault[]): void
  /** A report that changes nothing. */
  again (): void
  judge (verdict: HealthVerdict | undefined, score?: number, paused?: boolean): void
  /** Lets time pass on both clocks. */
  pass (seconds: number): void
  /** Sets the wall clock only. */
  jump (seconds: number): void
  readonly faultTexts: HmsCatalogue
  readonly engine: ReturnType<typeof createEngine>
}

/** @param first what the first report says, which never alerts */
export function desk (first: JobPart = {}, rules: readonly AnyAlertRule[] = documented): Desk {
  const alerts: Alert[] = []
  const logged: Record<string, unknown>[] = []
  let wall = EPOCH_MS
  let steady = 1_000
  let seen = 0
  let state = { receivedAt: wall, job: { ...IDLE, ...first }, errors: NO_ERRORS } as unknown as PrinterState
  const faultTexts = createHmsCatalogue()
  const engine = createEngine({
    rules,
    originOf: () => 'outside',
    faults: faultTexts,
    pluginFaults: createPluginFaults({
      outside: new Set(),
      now: Date.now,
      log: pino({ level: 'error' }, { write: (line: string) => { logged.push(JSON.parse(line)) } })
    }),
    now: () => wall,
    steady: () => steady,
    raise: alert => { alerts.push(alert) }
  })
  function report (parts: object): void {
    state = { ...state, ...parts, receivedAt: wall }
    engine.see('x1c', state)
  }
  report({})
  return {
    alerts,
    logged,
    engine,
    faultTexts,
    types () {
      const fresh = alerts.slice(seen).map(({ type }) => type)
      seen = alerts.length
      return fresh
    },
    job: part => report({ job: { ...state.job, ...part } }),
    stage: (id, name = `Stage [${id}]`) => report({ job: { ...state.job, stage: { id, name } } }),
    faults: (...faults) => report({ errors: { printError: 0, faults } }),
    again: () => report({}),
    judge: (verdict, score = 0, paused = false) => engine.judge('x1c', { verdict, score }, paused),
    pass (seconds) {
      wall += seconds * 1000
      steady += seconds * 1000
    },
    jump (seconds) { wall += seconds * 1000 }
  }
}
