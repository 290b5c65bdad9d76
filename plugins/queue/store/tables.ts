import type { Kysely } from '../../database/index.js'
import type { Job, JobState, PlateRecord, PlateState, Run, RunState, SlicedFile } from '../types.js'

/** Times are ms since the epoch, booleans 0 or 1; `plates`, `alternatives` and `needs` are JSON. */
export interface Tables {
  /** `parts`: number of rows with its content; 0 when it is not in the database. */
  queue_files: {
    id: string
    name: string
    size: number
    plates: string
    added_at: number
    added_by: string
    parts: number
    /** JSON: how many parts plates give according to a person, by number of the plate. */
    part_counts: string
  }
  queue_jobs: {
    id: string
    name: string
    state: string
    priority: number
    position: number
    alternatives: string
    copies: number
    taken: number
    finished: number
    needs: string
    not_before: number | null
    retries: number
    held: number
    note: string
    created_at: number
    created_by: string
    ended_at: number | null
  }
  queue_runs: {
    id: string
    job: string
    serial: string
    printer: string
    state: string
    owner: string
    task: number
    file: string
    plate: number
    path: string
    before: string | null
    seconds: number
    created_at: number
    sent_at: number | null
    ended_at: number | null
    reason: string
    print: string
    /** 1 after a retry: this failure no longer excludes the printer. */
    forgiven: number
  }
  queue_plates: { id: string, state: string, run: string | null, job: string, changed_at: number, changed_by: string }
  /** `data` is base64. */
  queue_parts: { id: string, file: string, number: number, data: string }
  /** `paused_until`: null for one that a person ends. */
  queue_pauses: { id: string, paused_at: number, paused_by: string, paused_until: number | null }
  queue_groups: { id: string, started_at: number }
  /** By serial. `most`: null for the configured number; `told`: 1 once somebody was told that it is stopped. */
  queue_failures: {
    id: string
    failures: number
    reason: string
    most: number | null
    stopped_at: number | null
    told: number
  }
  /** By serial: what was heated before a print and has neither been taken over by it nor been switched off. */
  queue_heats: {
    id: string
    run: string
    owner: string
    bed: number
    chamber: number
    minutes: number
    heated_at: number
    warm_at: number | null
  }
}

export type Db = Kysely<Tables>

export const fileOf = (row: Tables['queue_files']): SlicedFile => ({
  id: row.id,
  name: row.name,
  size: row.size,
  plates: JSON.parse(row.plates),
  addedAt: row.added_at,
  addedBy: row.added_by,
  isStored: row.parts > 0,
  partCounts: JSON.parse(row.part_counts)
})

export const rowOfFile = ({ plates, addedAt, addedBy, isStored: _, partCounts = {}, ...rest }: SlicedFile): Tables['queue_files'] => ({
  ...rest,
  plates: JSON.stringify(plates),
  added_at: addedAt,
  added_by: addedBy,
  parts: 0,
  part_counts: JSON.stringify(partCounts)
})

export const jobOf = (row: Tables['queue_jobs']): Job => ({
  id: row.id,
  name: row.name,
  state: row.state as JobState,
  priority: row.priority,
  position: row.position,
  alternatives: JSON.parse(row.alternatives),
  copies: row.copies,
  taken: row.taken,
  finished: row.finished,
  needs: { allowLow: false, acceptFindings: [], ...JSON.parse(row.needs) },
  notBefore: row.not_before ?? undefined,
  retries: row.retries,
  held: row.held === 1,
  note: row.note,
  createdAt: row.created_at,
  createdBy: row.created_by,
  endedAt: row.ended_at ?? undefined
})

export const rowOfJob = (job: Job): Tables['queue_jobs'] => ({
  id: job.id,
  name: job.name,
  state: job.state,
  priority: job.priority,
  position: job.position,
  alternatives: JSON.stringify(job.alternatives),
  copies: job.copies,
  taken: job.taken,
  finished: job.finished,
  needs: JSON.stringify(job.needs),
  not_before: job.notBefore ?? null,
  retries: job.retries,
  held: Number(job.held),
  note: job.note,
  created_at: job.createdAt,
  created_by: job.createdBy,
  ended_at: job.endedAt ?? null
})

export const runOf = (row: Tables['queue_runs']): Run => {
  const { created_at: createdAt, sent_at: sentAt, ended_at: endedAt, before, state, forgiven: _, ...rest } = row
  return {
    ...rest,
    createdAt,
    state: state as RunState,
    before: before ?? undefined,
    sentAt: sentAt ?? undefined,
    endedAt: endedAt ?? undefined
  }
}

export const rowOfRun = ({ createdAt, sentAt, endedAt, before, ...rest }: Run): Tables['queue_runs'] => ({
  ...rest,
  created_at: createdAt,
  sent_at: sentAt ?? null,
  ended_at: endedAt ?? null,
  before: before ?? null,
  forgiven: 0
})

export const plateOf = (row: Tables['queue_plates']): PlateRecord => ({
  serial: row.id,
  state: row.state as PlateState,
  run: row.run ?? undefined,
  job: row.job,
  changedAt: row.changed_at,
  changedBy: row.changed_by
})
