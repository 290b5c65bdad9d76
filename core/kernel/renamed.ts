import { Renamed } from '../errors.js'
import { RENAMED } from './renamed.data.js'

// An old name that is used must lead to the new one: silence would cost the author of a plugin an evening, and an
// operation's access level its meaning.

const sentence = (old: string, now: string): string =>
  `'${old}' is called '${now}' since version 2.0.0. CHANGELOG.md of prnd lists every renamed name under 2.0.0`

/** In words what an import that cannot be linked should name instead; undefined for what was never exported. */
export function renamedExport (linkError: string): string | undefined {
  const [, from = '', old = ''] = /module '(prnd(?:\/[^']*)?)' does not provide an export named '([^']+)'/.exec(linkError) ?? []
  const names = RENAMED[from] ?? {}
  return Object.hasOwn(names, old) ? sentence(old, names[old] ?? '') : undefined
}

/** Reading an old member of an object throws PRN_ERR_RENAMED from now on. */
export function explainOldMembers (target: unknown, of: string): void {
  if (typeof target !== 'object' || target === null || !Object.isExtensible(target)) return
  for (const [old, now] of Object.entries(RENAMED[of] ?? {})) {
    if (old in target) continue
    const get = () => { throw new Renamed(sentence(`${of}.${old}`, `${of}.${now}`)) }
    Object.defineProperty(target, old, { get, configurable: true, enumerable: false })
  }
}

/** What is wrong with something that is declared with an old member. */
export function oldMemberProblem (declared: object, of: string): string | undefined {
  const [old, now] = Object.entries(RENAMED[of] ?? {}).find(([old]) => Object.hasOwn(declared, old)) ?? []
  return old === undefined || now === undefined ? undefined : sentence(old, now)
}

/** @throws TypeError for a declaration with an old member */
export function checkMembers (declared: object, of: string, what: string): void {
  const problem = oldMemberProblem(declared, of)
  if (problem !== undefined) throw new TypeError(`${what}: ${problem}`)
}
