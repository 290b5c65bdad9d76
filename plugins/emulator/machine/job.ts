import { dropHms, ERROR, runoutHms } from './errors.js'
import { setTray } from './slots.js'
import type { Job, JobPlan, Machine, Slot, Stage } from './types.js'

/** `stg_cur` codes set by a job. */
export const JOB_STAGE = { PRINTING: 0, USER_PAUSE: 16 } as const

export const PREPARE_MS = 5000
const MINUTE_MS = 60_000
const DEFAULT_LAYERS = 120
const DEFAULT_MINUTES = 30
export const STANDARD_SPEED = 2
/** Percent of the standard speed by level. */
export const SPEED_PCT: Readonly<Record<number, number>> = { 1: 50, 2: 100, 3: 124, 4: 166 }

/** What is known of a job when it starts. */
export interface JobStart {
  readonly name?: string
  readonly file?: string
  readonly plate?: number
  readonly layers?: number
  readonly minutes?: number
  readonly objects?: readonly number[]
  readonly mapping?: readonly (Slot | undefined)[]
  readonly bed?: number
  readonly end?: Job['end']
  readonly runoutAtPct?: number
  readonly stages?: readonly Stage[]
  readonly ids?: Pick<Job, 'subtaskId' | 'taskId' | 'projectId' | 'profileId'>
  /** Error number that ends the preparation in a pause. */
  readonly failure?: number
}

export const noJob = (stage: number): Job => ({
  number: 0,
  state: 'IDLE',
  resumeTo: 'RUNNING',
  name: '',
  file: '',
  plate: 0,
  subtaskId: '0',
  taskId: '0',
  projectId: '0',
  profileId: '0',
  prepareMs: 0,
  stages: [],
  stageAt: 0,
  stageMs: 0,
  stage,
  layers: 0,
  durationMs: 0,
  elapsedMs: 0,
  speed: STANDARD_SPEED,
  objects: [],
  skipped: [],
  mapping: [],
  end: 'finish',
  runoutAtPct: Infinity,
  spent: undefined,
  failure: 0,
  bedC: 0
})

/** From acceptance to the last layer, pauses included. */
export const isBusy = ({ job }: Machine): boolean => ['PREPARE', 'RUNNING', 'PAUSE'].includes(job.state)

/** Layers are being laid down. */
export const isPrinting = ({ job }: Machine): boolean =>
  job.state === 'RUNNING' && job.stageAt >= job.stages.length

export const progress = ({ elapsedMs, durationMs }: Job): number =>
  durationMs > 0 ? Math.min(1, elapsedMs / durationMs) : 0

/** Heat the bed, wipe, home, level, calibrate flow: a usual start. */
export const USUAL_STAGES: readonly Stage[] = [
  { code: 2, ms: 10_000 },
  { code: 14, ms: 8000 },
  { code: 13, ms: 5000 },
  { code: 1, ms: 12_000 },
  { code: 8, ms: 12_000 }
]

export function startJob (m: Machine, start: JobStart): void {
  const { ids, layers = DEFAULT_LAYERS, minutes = DEFAULT_MINUTES } = start
  Object.assign(m.job, noJob(m.traits.modern ? m.job.stage : JOB_STAGE.PRINTING), {
    number: m.job.number + 1,
    state: 'PREPARE',
    resumeTo: 'PREPARE',
    name: start.name ?? 'demo',
    file: start.file ?? '',
    plate: start.plate ?? 1,
    layers,
    durationMs: minutes * MINUTE_MS,
    stages: start.stages ?? USUAL_STAGES,
    objects: start.objects ?? [],
    mapping: start.mapping ?? [],
    bedC: start.bed ?? 0,
    end: start.end ?? 'finish',
    runoutAtPct: start.runoutAtPct ?? Infinity,
    failure: start.failure ?? 0,
    ...ids
  } satisfies Partial<Job>)
  m.printError = 0
}

/** Updates a job with the plan that was read after its start. */
export function refineJob (job: Job, { layers, minutes, objects, bed, end }: JobPlan): void {
  if (layers !== undefined) job.layers = layers
  if (minutes !== undefined) job.durationMs = minutes * MINUTE_MS
  if (objects !== undefined) job.objects = objects
  if (bed !== undefined) job.bedC = bed
  if (end !== undefined) job.end = end
}

function coolDown (m: Machine): void {
  for (const { heater } of m.extruders) heater.target = 0
  m.bed.target = 0
  m.chamber.target = 0
  for (const fan of Object.keys(m.fans)) m.fans[Number(fan)] = 0
}

function end (m: Machine, state: 'FINISH' | 'FAILED'): void {
  m.job.state = state
  m.job.stage = m.traits.restStage.after
  m.job.speed = STANDARD_SPEED
  coolDown(m)
}

export function finishJob (m: Machine): void {
  m.job.elapsedMs = m.job.durationMs
  end(m, 'FINISH')
}

/** Ends the job with an error that stays until it is cleared. */
export function failJob (m: Machine, error: number): void {
  if (!isBusy(m)) return
  m.job.elapsedMs = 0
  m.printError = error
  m.ams.change = undefined
  end(m, 'FAILED')
}

export const stopJob = (m: Machine): void => failJob(m, ERROR.CANCELLED)

export function pauseJob (m: Machine, stage: number = JOB_STAGE.USER_PAUSE): void {
  const { job } = m
  if (job.state !== 'RUNNING' && job.state !== 'PREPARE') return
  job.resumeTo = job.state
  job.state = 'PAUSE'
  job.stage = stage
}

/** Resumes a waiting job; the reason for the wait counts as resolved. */
export function resumeJob (m: Machine): void {
  const { job } = m
  if (job.state !== 'PAUSE') return
  if (job.spent !== undefined) {
    setTray(m, job.spent.slot, job.spent.tray)
    dropHms(m, runoutHms(m, job.spent.slot))
    job.spent = undefined
  }
  m.printError = 0
  job.state = job.resumeTo
  job.stage = job.stages[job.stageAt]?.code ?? JOB_STAGE.PRINTING
}
