/** A frame's score, and whether it should have been high. */
export interface Scored { readonly score: number, readonly fails: boolean }

/** Chance that a failing frame scores higher than a good one, ties counting half. */
export function auc (scored: readonly Scored[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score)
  const failing = scored.filter(({ fails }) => fails).length
  const good = scored.length - failing
  let ranks = 0
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++
    const middle = (from + to + 1) / 2
    ranks += middle * sorted.slice(from, to).filter(({ fails }) => fails).length
    from = to
  }
  return failing === 0 || good === 0 ? NaN : (ranks - failing * (failing + 1) / 2) / (failing * good)
}

/** Share of failing frames above a threshold that at most this share of the good ones exceeds. */
export function detectionAt (scored: readonly Scored[], falseShare: number): number {
  const good = scored.filter(({ fails }) => !fails).map(({ score }) => score).sort((a, b) => b - a)
  const threshold = good[Math.floor(good.length * falseShare)] ?? 0
  const failing = scored.filter(({ fails }) => fails)
  return failing.filter(({ score }) => score > threshold).length / failing.length
}

export const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.length === 0 ? NaN : values.filter(test).length / values.length

export function medianOf (values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

/** Share of good frames and of failing ones above each threshold, from the highest on. */
export function rocOf (scored: readonly Scored[]): (readonly [falseShare: number, detected: number])[] {
  const sorted = [...scored].sort((a, b) => b.score - a.score)
  const failing = sorted.filter(({ fails }) => fails).length
  let [wrong, right] = [0, 0]
  const points: (readonly [number, number])[] = [[0, 0]]
  sorted.forEach(({ score, fails }, at) => {
    if (fails) right++
    else wrong++
    if (sorted[at + 1]?.score === score) return
    points.push([wrong / Math.max(1, sorted.length - failing), right / Math.max(1, failing)])
  })
  return points
}
