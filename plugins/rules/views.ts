import { createHash } from 'node:crypto'
import type { Language } from '../../core/index.js'
import type { Problem } from './check/check-context.js'
import type { CheckView, RuleInput, RuleView, RunView } from './schemas.js'
import type { Draft, Rule, Run, StepRecord } from './types.js'
import type { Words } from './vocabulary/index.js'
import { consequenceInWords, consequencesOf, ruleInWords } from './words/rule-in-words.js'
import { recordInWords, runInWords } from './words/run-in-words.js'
import { whyInWords, type Why } from './words/why.js'

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const USUAL_PER_HOUR = 6

/** What was given, completed. */
export const draftOf = ({ name, printers = null, when, then, ...rest }: RuleInput): Draft => ({
  name: name.trim(),
  printers,
  when: when as Draft['when'],
  if: (rest.if ?? []) as Draft['if'],
  then: then as Draft['then'],
  most_per_hour: rest.most_per_hour ?? USUAL_PER_HOUR
})

/** As it can be given again. */
export function inputOf ({ name, printers, when, if: conditions, then, most_per_hour: most }: Draft): RuleInput {
  const named = printers === null ? null : [...printers]
  return { name, printers: named, when, if: conditions, then, most_per_hour: most } as unknown as RuleInput
}

/** The same for the same content, whatever the order in which its members came. */
export function sorted (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return Object.fromEntries(members.map(([key, part]) => [key, sorted(part)]))
}

/** The same for the same rule in any language: what a person has accepted. */
export function acceptanceOf (draft: Draft, words: Words): string {
  const { printers, when, if: conditions, then, most_per_hour: most } = draft
  const text = JSON.stringify([printers, when, conditions, then, most, consequencesOf(draft, words)])
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}

/** In words of a language, and as data. */
const problemView = ({ path, why: { code, values } }: Problem, lang: Language) =>
  ({ path, words: whyInWords({ code, values }, lang), code, values: { ...values } })

/** All in one line, for an error. */
export const problemsInWords = (problems: readonly Problem[], lang: Language): string =>
  problems.map(({ path, why }) => `${path}: ${whyInWords(why, lang)}`).join('; ')

const reasonView = (reason: Why | null | undefined) =>
  reason ? { code: reason.code, values: { ...reason.values } } : null

interface Found { readonly errors: Problem[], readonly warnings: Problem[] }

export function checkView (draft: Draft, words: Words, lang: Language, { errors, warnings }: Found): CheckView {
  const isReadable = errors.every(({ path }) => path !== '')
  return {
    ok: errors.length === 0,
    errors: errors.map(problem => problemView(problem, lang)),
    warnings: warnings.map(problem => problemView(problem, lang)),
    reads: isReadable ? ruleInWords(draft, words, lang) : { when: [], if: [], then: [] },
    consequence: errors.length === 0 ? consequenceInWords(draft, words, lang) : '',
    accept_consequence: errors.length === 0 ? acceptanceOf(draft, words) : ''
  }
}

/** What a view of a rule shows beside the rule. */
export interface Around {
  readonly words: Words
  readonly lang: Language
  readonly nextAt: number | undefined
  readonly lastRun: RunView | null
}

export function ruleView (rule: Rule, { words, lang, nextAt, lastRun }: Around): RuleView {
  const { author } = rule
  return {
    id: rule.id,
    ...inputOf(rule),
    printers: rule.printers === null ? null : [...rule.printers],
    if: inputOf(rule).if ?? [],
    most_per_hour: rule.most_per_hour,
    enabled: rule.enabled,
    author: { name: author.name, ...author.id !== undefined && { id: author.id } },
    created_at: rule.createdAt,
    changed_at: rule.changedAt,
    paused_reason: rule.pausedReason && whyInWords(rule.pausedReason, lang),
    paused_why: reasonView(rule.pausedReason),
    next_at: nextAt ?? null,
    last_run: lastRun,
    reads: ruleInWords(rule, words, lang),
    consequence: consequenceInWords(rule, words, lang),
    has_webhook: rule.webhook !== ''
  }
}

/** What runs are read with. */
export interface Reader {
  readonly words: Words
  readonly lang: Language
  readonly ruleOf: (id: string) => Rule | undefined
}

export function runView (run: Run, steps: readonly StepRecord[], { words, lang, ruleOf }: Reader): RunView {
  const rule = ruleOf(run.rule)
  const then = rule?.changedAt === run.version ? rule.then : undefined
  return {
    id: run.id,
    rule: run.rule,
    rule_name: run.ruleName,
    printer: run.printer ?? null,
    occurrence: run.key,
    at: run.at,
    ended_at: run.endedAt ?? null,
    state: run.state,
    reason: whyInWords(run.reason, lang),
    why: reasonView(run.reason),
    words: runInWords(run, lang),
    chain: [...run.chain],
    chain_names: run.chain.map(id => ruleOf(id)?.name ?? id),
    wait_until: run.state === 'running' ? run.waitUntil ?? null : null,
    steps: steps.filter(({ run: of }) => of === run.id).map(record => {
      const { step, state, at, endedAt, what, reason } = record
      return {
        step: step + 1,
        state,
        at,
        ended_at: endedAt ?? null,
        what,
        words: recordInWords(record, then?.[step], words, lang),
        reason: whyInWords(reason, lang),
        why: reasonView(reason)
      }
    })
  }
}
