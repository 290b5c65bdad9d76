import { isServiceError, isUser, lesserRole, rightsOf, type Caller, type Rights } from '../../core/index.js'
import { NotAuthor } from './errors.js'
import type { Author, Rule } from './types.js'
import { isWhy, plain, Problem, why, type Why } from './words/why.js'

/** More than any rule's; the name is in the audit log. */
const LONGEST_NAME = 150
/** So long an author may be unknown: after a restart, users are not known at once. */
const GONE_MS = 60_000

/** Who calls. */
export interface Asker { readonly caller: Caller | undefined, readonly trusted: boolean }

/** Current rights of users; undefined without users. */
export type Directory = { rightsOf (id: string): Rights | undefined } | undefined

/**
 * Whoever saves a rule is a person: keys and grants belong to programs, whose rights may end without the rule knowing.
 * @param acts the rule does more than send messages
 * @throws PRN_ERR_RULE_AUTHOR
 */
export function authorOf ({ caller, trusted }: Asker, people: Directory, acts: boolean): Author {
  const rights = rightsOf(caller)
  if (rights !== undefined) {
    if (!isUser(rights, people)) throw new NotAuthor('Rules are saved by people: keys and programs can only propose them')
    return { name: rights.name, id: rights.id ?? '', kind: 'user' }
  }
  const kind = caller === 'token' || caller === 'network' ? caller : 'local'
  if (acts && !trusted) {
    throw new NotAuthor('A rule that acts on printers is saved on this machine, with the token, or by a user who has logged in')
  }
  return { name: kind, kind }
}

/** Whether two callers are the same author; a key or a grant of the author is not. */
export const isAuthor = (author: Author, { caller }: Asker, people: Directory): boolean => {
  const rights = rightsOf(caller)
  if (rights === undefined) return author.kind !== 'user' && author.kind === (caller ?? 'local')
  return author.kind === 'user' && author.id === rights.id && isUser(rights, people)
}

/** Whether all printers exist for a caller. */
export const seesAll = ({ caller }: Asker): boolean => rightsOf(caller)?.printers === undefined

/** Whether a caller may see a rule: those with some printers only see their own. */
export const maySee = ({ author }: Pick<Rule, 'author'>, asker: Asker, people: Directory): boolean =>
  seesAll(asker) || isAuthor(author, asker, people)

/**
 * As whom a rule acts now: with the current rights of its author, and never more than those of operating. A rule whose
 * author has left, or may no longer operate, does nothing.
 * @returns the caller, or why there is none
 */
export function callerOf ({ name, author }: Pick<Rule, 'name' | 'author'>, people: Directory): Rights | Why {
  const shown = `rule ${name} of ${author.name}`.slice(0, LONGEST_NAME)
  if (author.kind !== 'user') return { name: shown, id: `rule of ${author.kind}`, role: 'operate', printers: undefined }
  const rights = people?.rightsOf(author.id ?? '')
  if (rights === undefined) return why('author_gone', { name: author.name })
  const { id, role, printers, budget } = rights
  if (role === 'view') return why('author_looks', { name: author.name })
  return { name: shown, ...(id !== undefined && { id }), role: lesserRole(role, 'operate'), printers, ...(budget && { budget }) }
}

/**
 * As whom rules act now, or why not; undefined while it is too early to say that an author has left.
 * @param people who they are at the moment
 */
export function createCallers (people: () => Directory, now: () => number): (rule: Rule) => Rights | Why | undefined {
  const goneSince = new Map<string, number>()
  return rule => {
    const caller = callerOf(rule, people())
    if (!isWhy(caller) || caller.code !== 'author_gone') {
      goneSince.delete(rule.id)
      return caller
    }
    const since = goneSince.get(rule.id) ?? now()
    goneSince.set(rule.id, since)
    return now() - since < GONE_MS ? undefined : caller
  }
}

/** An error as a reason for the log of runs. */
export const whyOfError = (error: unknown): Why => error instanceof Problem
  ? error.why
  : plain(isServiceError(error) || error instanceof Error ? error.message : String(error))
