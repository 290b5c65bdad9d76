const LONGEST = 512
const MOST_LEVELS = 32

/** @returns what is wrong with a filter of topics, or undefined */
export function filterProblem (filter: string): string | undefined {
  if (filter === '') return 'a topic is needed'
  if (filter.length > LONGEST) return `a topic has at most ${LONGEST} characters`
  const levels = filter.split('/')
  if (levels.length > MOST_LEVELS) return `a topic has at most ${MOST_LEVELS} levels`
  if (/[\p{Cc}]/u.test(filter)) return 'a topic has no control characters'
  const isWrong = levels.some((level, at) =>
    (level.includes('#') && (level !== '#' || at < levels.length - 1)) || (level.includes('+') && level !== '+'))
  return isWrong ? '+ stands for one whole level, and # for all that follow, at the end' : undefined
}

/** Whether a topic is one of those that a filter means. Topics that begin with $ belong to the broker. */
export const matchesFilter = (filter: string, topic: string): boolean =>
  filter === topic || matchesLevels(filter.split('/'), topic.split('/'))

/** The same for both in parts. */
export function matchesLevels (wanted: readonly string[], levels: readonly string[]): boolean {
  if (levels[0]?.startsWith('$') === true && (wanted[0] === '#' || wanted[0] === '+')) return false
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true
    if (at >= levels.length || (level !== '+' && level !== levels[at])) return false
  }
  return wanted.length === levels.length
}
