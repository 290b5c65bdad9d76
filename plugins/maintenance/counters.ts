/** What wears a printer, since it was new. */
export interface Counters {
  /** Hours in which it printed. */
  readonly hours: number
  readonly prints: number
  readonly failed: number
  /** Filament, g. */
  readonly grams: number
  /** Filament with fibres or particles that wear nozzles, g. */
  readonly abrasive_grams: number
  /** Filament changes. */
  readonly changes: number
  /** Hours with a nozzle of 250 °C or more. */
  readonly hot_hours: number
  /** Hours with a heated chamber. */
  readonly chamber_hours: number
  /** Hours in which a drying unit ran. */
  readonly drying_hours: number
}

export const COUNTERS = [
  'hours', 'prints', 'failed', 'grams', 'abrasive_grams', 'changes', 'hot_hours', 'chamber_hours', 'drying_hours'
] as const satisfies readonly (keyof Counters)[]

export const NOTHING: Counters = {
  hours: 0,
  prints: 0,
  failed: 0,
  grams: 0,
  abrasive_grams: 0,
  changes: 0,
  hot_hours: 0,
  chamber_hours: 0,
  drying_hours: 0
}

/** What a task may be due by: every counter but the failed prints, and days. */
export const UNITS = [
  'hours', 'days', 'prints', 'grams', 'abrasive_grams', 'changes', 'hot_hours', 'chamber_hours', 'drying_hours'
] as const
export type Unit = (typeof UNITS)[number]

/** How much of each unit may pass until a task is due: whichever comes first. */
export type Every = { readonly [U in Unit]?: number }

export const plus = (one: Counters, other: Partial<Counters>): Counters =>
  Object.fromEntries(COUNTERS.map(name => [name, one[name] + (other[name] ?? 0)])) as unknown as Counters
