import type { Kysely } from '../database/index.js'

/** A print, counted once: its id is that of the record. */
export interface PrintRow {
  id: string
  serial: string
  /** ms since the epoch. */
  ended_at: number
  seconds: number
  failed: number
}

/** Filament of a counted print. */
export interface FilamentRow {
  id: string
  print: string
  serial: string
  ended_at: number
  material: string
  grams: number
  /** 1: it wears nozzles. */
  abrasive: number
}

/**
 * An hour of a printer, by serial and hour. Each text has a bit for each minute, in hexadecimal digits, so that two
 * services, and a service before and after a restart, count the same minute once.
 */
export interface MinuteRow {
  id: string
  serial: string
  /** Since the epoch. */
  hour: number
  hot: string
  hot_min: number
  chamber: string
  chamber_min: number
  drying: string
  drying_min: number
  changes: string
  changes_min: number
}

/** By serial: what a person said of it, and what it has reported. */
export interface PrinterRow {
  id: string
  /** ms since the epoch. */
  begun_at: number
  has_ams: number
  has_dryer: number
  /** JSON of counters from before the record. */
  before: string
  before_at: number | null
  before_by: string
}

/** A change of a built-in task, or a task of one's own. */
export interface TaskRow {
  id: string
  /** Empty: that of the built-in task. */
  name: string
  why: string
  /** JSON; empty: as built in. */
  every: string
  /** JSON of serials; empty: all printers that it suits. */
  printers: string
  blocks: number
  is_off: number
  archived: number
  changed_at: number
  changed_by: string
}

export interface DoneRow {
  id: string
  serial: string
  printer: string
  task: string
  /** As it was called. */
  name: string
  at: number
  done_by: string
  note: string
  /** 1: there is a photo. */
  photo: number
  /** JSON of the counters then. */
  counters: string
  entered_at: number
  undone_at: number | null
  undone_by: string
}

/** What was warned of, once. */
export interface NoticeRow { id: string, serial: string, task: string, at: number }

export interface Tables {
  maintenance_prints: PrintRow
  maintenance_filaments: FilamentRow
  maintenance_minutes: MinuteRow
  maintenance_printers: PrinterRow
  maintenance_tasks: TaskRow
  maintenance_done: DoneRow
  maintenance_notices: NoticeRow
}

export type Db = Kysely<Tables>
