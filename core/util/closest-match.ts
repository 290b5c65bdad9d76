/** Levenshtein distance. */
function distance (a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The candidate that a misspelt text probably means; undefined if none is close. */
export function closestMatch (text: string, candidates: readonly string[],
  mostEdits = Math.max(2, Math.floor(text.length / 3))): string | undefined {
  const ranked = candidates
    .map(candidate => ({ candidate, edits: distance(text.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (!best || best.edits >= Math.max(text.length, best.candidate.length)) return undefined // nothing in common
  return best.edits <= mostEdits ? best.candidate : undefined
}

const LEAST_PART = 3
const partsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(part => part.length >= LEAST_PART)

/** The candidates that are most like a text, the nearest first. @param most how many; all lists are short then */
export function closestMatches (text: string, candidates: readonly string[], most: number): string[] {
  const parts = partsOf(text)
  const ranked = candidates.map(candidate => {
    const shared = partsOf(candidate).filter(part => parts.includes(part)).join('').length
    return { candidate, rank: distance(text.toLowerCase(), candidate.toLowerCase()) - 2 * shared }
  })
  return ranked.sort((a, b) => a.rank - b.rank).slice(0, most).map(({ candidate }) => candidate)
}
