/** Of each kind, before an error means anything. */
export const LEAST_PICTURES = 5
/** How far between the most different empty plate and the most similar full one the limit is. */
const LIMIT_SHARE = 0.3
/** Where they overlap, nothing as different as this is called empty. */
const OVERLAP_SHARE = 0.8

/** Scores of stored pictures against stored pictures of the empty plate. */
export interface Scores {
  /** `empty[i][j]`: the i-th picture of the empty plate against the j-th. */
  readonly empty: readonly (readonly number[])[]
  /** `full[i][j]`: the i-th picture with parts against the j-th of the empty plate. */
  readonly full: readonly (readonly number[])[]
}

export interface MeasuredError {
  readonly full: { readonly pictures: number, readonly wrong: number }
  readonly empty: { readonly pictures: number, readonly wrong: number }
  /** At most this different from an empty plate: empty. */
  readonly limit: number
  /** From here on: full. In between nobody knows. */
  readonly fullFrom: number
  readonly isEnough: boolean
}

/** The least score against the pictures of the empty plate, leaving out some. */
const least = (scores: readonly number[] | undefined, without: readonly number[]): number =>
  Math.min(...(scores ?? []).filter((_, at) => !without.includes(at)))

interface Limits { readonly limit: number, readonly fullFrom: number }

/** @param noEmpty, noFull pictures that are left out */
function limitsOf ({ empty, full }: Scores, noEmpty = -1, noFull = -1): Limits {
  const empties = empty.flatMap((scores, at) => at === noEmpty ? [] : [least(scores, [at, noEmpty])])
  const fulls = full.flatMap((scores, at) => at === noFull ? [] : [least(scores, [noEmpty])])
  const [mostEmpty, leastFull] = [Math.max(...empties), Math.min(...fulls)]
  if (!Number.isFinite(mostEmpty) || !Number.isFinite(leastFull)) return { limit: 0, fullFrom: Infinity }
  if (leastFull <= mostEmpty) return { limit: leastFull * OVERLAP_SHARE, fullFrom: mostEmpty }
  return { limit: mostEmpty + (leastFull - mostEmpty) * LIMIT_SHARE, fullFrom: (mostEmpty + leastFull) / 2 }
}

/** Judges every stored picture by all the others: what would have been wrong. */
export function measureError (scores: Scores): MeasuredError {
  const { empty, full } = scores
  const wrongFull = full.filter((own, at) => least(own, []) <= limitsOf(scores, -1, at).limit)
  const wrongEmpty = empty.filter((own, at) => least(own, [at]) > limitsOf(scores, at).limit)
  return {
    full: { pictures: full.length, wrong: wrongFull.length },
    empty: { pictures: empty.length, wrong: wrongEmpty.length },
    ...limitsOf(scores),
    isEnough: empty.length >= LEAST_PICTURES && full.length >= LEAST_PICTURES
  }
}

const plates = (count: number): string => count === 1 ? 'plate' : 'plates'

export const errorInWords = ({ full, empty }: Pick<MeasuredError, 'full' | 'empty'>): string =>
  `would have called ${full.wrong} of ${full.pictures} full ${plates(full.pictures)} empty, and ` +
  `${empty.wrong} of ${empty.pictures} empty ${plates(empty.pictures)} not empty`
