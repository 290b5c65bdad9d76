// What the results of prints say. Pure. A print that a person cancelled has not failed.

/** Of fewer prints a share says nothing. */
const FEWEST = 3

/** Prints that ended by themselves. @param {{ finished: number, failed: number }} group */
export const judgedOf = ({ finished, failed }) => finished + failed

/** Share of failed prints; 0 without any. @param {{ finished: number, failed: number }} group */
export const failedShare = group => judgedOf(group) === 0 ? 0 : group.failed / judgedOf(group)

/** Those with most to mend first; without a print that ended last. @param {readonly any[]} groups */
export const byFailures = groups => groups.toSorted((a, b) =>
  failedShare(b) - failedShare(a) || judgedOf(b) - judgedOf(a) || (a.name < b.name ? -1 : 1))

/** How much more often than all others together a group must fail to be named. */
const STANDS_OUT = 1.5

/** The group that fails most often, if it stands out. @param {readonly any[]} groups */
export function worstOf (groups) {
  const judged = groups.filter(group => judgedOf(group) >= FEWEST)
  const [worst, ...others] = byFailures(judged)
  if (!worst || others.length === 0) return undefined
  const sum = name => others.reduce((all, group) => all + group[name], 0)
  const rest = failedShare({ finished: sum('finished'), failed: sum('failed') })
  return failedShare(worst) > rest * STANDS_OUT ? worst : undefined
}
