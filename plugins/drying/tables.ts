/** When units dry by themselves, and who agreed to that. Booleans are 0 or 1, as databases have no common type. */
export interface PlanRow {
  id: string
  name: string
  /** Name of a printer; empty: every one. */
  printer: string
  /** Id of an AMS unit; null: every one. */
  unit: number | null
  /** Materials that begin a drying, separated by commas; empty: any. */
  materials: string
  /** From this relative humidity on, percent; null: whatever it is. */
  humidity: number | null
  /** After so many days; null: however long ago it was. */
  days: number | null
  /** `HH:MM` between which it may begin; both empty: at any time. */
  from_time: string
  until_time: string
  /** IANA name, such as `Europe/Berlin`. */
  time_zone: string
  /** At most so hot, °C; null: as hot as the materials stand. */
  celsius: number | null
  /** h; null: as long as the materials take. */
  hours: number | null
  rotate: number
  /** Of the units of a group, one dries at a time. */
  power_group: string
  /** The queue starts nothing on the printer meanwhile. */
  holds_queue: number
  /** Grows with each change, so that nobody accepts what was changed meanwhile. */
  revision: number
  /** Who accepted this revision; empty: nobody, and nothing is dried by it. */
  accepted_by: string
  /** `user`, or the kind of a trusted caller; empty for one of an older version, which is accepted again. */
  accepted_kind: string
  /** Id of the user, whose rights are looked up whenever it acts. */
  accepted_id: string
  accepted_at: number | null
  created_by: string
  created_at: number
}

/**
 * `starting`: claimed, maybe sent, not seen drying yet; `drying`; `stopping`: the command was or will be sent;
 * `finished`: it took its time; `stopped` before that; `failed`: it did not begin, or the unit has a fault.
 */
export const RUN_STATES = ['starting', 'drying', 'stopping', 'finished', 'stopped', 'failed'] as const
export type RunState = (typeof RUN_STATES)[number]
export const OPEN_STATES: readonly RunState[] = ['starting', 'drying', 'stopping']

/** One drying of one unit. */
export interface RunRow {
  id: string
  plan: string
  plan_name: string
  serial: string
  printer: string
  unit: number
  power_group: string
  holds_queue: number
  celsius: number
  hours: number
  /** Ids of the spools in the unit, separated by commas. */
  spools: string
  materials: string
  state: RunState
  /** A code of `drying.why`, or what the printer said. */
  reason: string
  began_at: number
  ended_at: number | null
  /** Whether its spools were told. */
  told: number
}

export interface Tables { drying_plans: PlanRow, drying_runs: RunRow }
