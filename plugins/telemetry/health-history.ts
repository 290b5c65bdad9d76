import { statisticsOf, type Point, type Series, type Statistics } from './monitoring-data.js'

/** One stored analysis of the job monitor. */
export interface HealthRecord {
  /** s since the epoch. */
  readonly ts: number
  /** 0 to 1. */
  readonly success_pct: number
  readonly confidence: number | null
  readonly hot_pct: number
  readonly strand_score: number
  readonly diff_score: number | null
  readonly remaining_min: number | null
  readonly factors: Readonly<Record<string, number>>
}

export const HEALTH_FIELDS = ['success_pct', 'confidence', 'hot_pct', 'strand_score', 'diff_score',
  'remaining_min'] as const
export type HealthField = (typeof HEALTH_FIELDS)[number]

/** The newest records of a printer that are returned; older ones are left out. */
export const MOST_RECORDS = 60

/** A source of health records; the job monitor contributes itself. */
export interface HealthHistory {
  /** Records of a printer, oldest first. Records are immutable. */
  records (printer: string): readonly HealthRecord[]
}

export const isHealthField = (name: string): name is HealthField => HEALTH_FIELDS.includes(name as HealthField)

/** Records without the value are left out. */
export const healthSeries = (records: readonly HealthRecord[], field: HealthField): Series => ({
  name: field,
  data: records.map((record): Point | undefined => {
    const v = record[field]
    return v === null ? undefined : { t: record.ts, v }
  }).filter(point => point !== undefined)
})

const FOUR_DECIMALS = 10_000

export const healthStatistics = (records: readonly HealthRecord[]): Record<HealthField, Statistics> =>
  Object.fromEntries(HEALTH_FIELDS.map(field =>
    [field, statisticsOf(healthSeries(records, field).data.map(({ v }) => v), FOUR_DECIMALS)])) as
    Record<HealthField, Statistics>
