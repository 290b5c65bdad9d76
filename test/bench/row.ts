/** One measured figure beside its baseline from the same run. */
export interface Row {
  readonly name: string
  readonly ours: number
  /** The same work done barely; undefined where the figure stands for itself. */
  readonly baseline?: number
  readonly unit: string
  /** What we hold ourselves to, on the ratio or, without a baseline, on the figure. */
  readonly bar?: { readonly atMost?: number, readonly atLeast?: number }
  readonly note?: string
}

export const ratioOf = ({ ours, baseline }: Row): number | undefined =>
  baseline === undefined || baseline === 0 ? undefined : ours / baseline

const judged = (row: Row) => ratioOf(row) ?? row.ours

export function holds (row: Row): boolean | undefined {
  const { atMost, atLeast } = row.bar ?? {}
  const value = judged(row)
  if (atMost !== undefined) return value <= atMost
  return atLeast === undefined ? undefined : value >= atLeast
}

const short = (value: number) => Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
const barText = ({ bar = {} }: Row) =>
  bar.atMost !== undefined ? `≤ ${bar.atMost}` : bar.atLeast !== undefined ? `≥ ${bar.atLeast}` : ''

/** A table for people; the same rows go into a JSON file for programs. */
export function tableOf (rows: readonly Row[]): string {
  const cells = rows.map(row => {
    const ratio = ratioOf(row)
    const verdict = holds(row)
    return [row.name, `${short(row.ours)} ${row.unit}`, row.baseline === undefined ? '' : `${short(row.baseline)} ${row.unit}`,
      ratio === undefined ? '' : ratio.toFixed(2), barText(row), verdict === undefined ? '' : verdict ? 'holds' : 'MISSED', row.note ?? '']
  })
  const head = ['what', 'ours', 'baseline', 'ratio', 'bar', '', 'note']
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map(row => row[at]?.length ?? 0)))
  return [head, ...cells].map(row => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd()).join('\n')
}

/** Median of several runs, which a busy machine moves less than the mean. */
export function median (values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
