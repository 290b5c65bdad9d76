import { randomBytes, randomUUID } from 'node:crypto'
import { rightsOf, RoleTooLow, type DaemonContext, type Kernel, type Language } from '../../core/index.js'
import { authorOf, isAuthor, maySee, seesAll, type Asker, type Directory } from './author.js'
import type { CheckContext } from './check/check-context.js'
import { checkRule } from './check/check-rule.js'
import { BadRule, NoProposal, NoRule, NoRuleRun, NotAccepted, NotOwnRule, RuleChanged } from './errors.js'
import type { Engine } from './engine/engine.js'
import type { ScheduleOptions } from './engine/schedules.js'
import type { RuleBook } from './rule-book.js'
import type { RuleStore } from './rule-store.js'
import type { RunFilter, RunStore } from './run-store.js'
import type { CheckView, RuleInput, RuleView, RunView } from './schemas.js'
import { tryRule } from './try/try-rule.js'
import { MOST, type Draft, type Rule } from './types.js'
import type { Words } from './vocabulary/index.js'
import { vocabularyView } from './vocabulary/vocabulary-view.js'
import { acceptanceOf, checkView, draftOf, hashOf, inputOf, problemsInWords, ruleView, runView, sorted, type Reader } from './views.js'
import { why } from './words/why.js'

export type Context = Pick<DaemonContext, 'caller' | 'trusted' | 'askedBy' | 'sees'>
/** A rule as data, or the id of one. */
interface Either { readonly rule?: RuleInput | undefined, readonly id?: string | undefined }
type Proposal = Awaited<ReturnType<RuleStore['proposals']>>[0]
interface Accepting { readonly accept: string, readonly lang: Language, readonly read?: number | undefined }
interface Saved { rule: RuleView, webhook: string | null }

const LONGEST_NAME = 200

export interface RulesServiceDeps {
  readonly kernel: Kernel
  readonly words: Words
  readonly engine: Engine
  readonly book: RuleBook
  readonly rules: RuleStore
  readonly runs: RunStore
  readonly schedule: ScheduleOptions
  readonly people: () => Directory
  readonly hasBroker: () => boolean
}

/** Rules for people and programs. */
export class RulesService {
  readonly #deps: RulesServiceDeps

  constructor (deps: RulesServiceDeps) { this.#deps = deps }

  async list (context: Context, lang: Language) {
    const { book } = this.#deps
    await book.open()
    const own = book.all.filter(rule => this.#maySee(context, rule))
    const proposals = await this.#proposalsFor(context)
    return { service: this.#service(), rules: await this.#views(own, lang), proposals: proposals.length }
  }

  async vocabulary (context: Context, lang: Language, find?: string) {
    await this.#deps.book.open()
    return vocabularyView(this.#checkContext(context), lang, find)
  }

  async check (context: Context, input: RuleInput, lang: Language): Promise<CheckView> {
    await this.#deps.book.open()
    return this.#checked(context, draftOf(input), lang)
  }

  /** @throws PRN_ERR_RULE, PRN_ERR_RULE_NOT_ACCEPTED, PRN_ERR_RULE_AUTHOR, PRN_ERR_RULES_FULL */
  async add (context: Context, input: RuleInput,
    { accept, enabled = true, lang }: Accepting & { readonly enabled?: boolean }): Promise<Saved> {
    const { book, rules, kernel } = this.#deps
    await book.open()
    const draft = draftOf(input)
    const author = this.#author(context, draft, accept, lang)
    const now = kernel.now()
    const secret = this.#secretFor(draft)
    const times = { createdAt: now, changedAt: now, armedAt: now }
    const webhook = secret === undefined ? '' : hashOf(secret)
    const begun = { pausedReason: null, failures: 0 }
    const rule: Rule = { ...draft, ...times, ...begun, id: randomUUID(), enabled, author, webhook }
    await rules.add(rule)
    return await this.#saved(rule.id, secret, lang)
  }

  /** @throws those of `add`, PRN_ERR_NO_SUCH_RULE, PRN_ERR_NOT_OWN_RULE, PRN_ERR_RULE_CHANGED */
  async change (context: Context, id: string, changes: Partial<RuleInput>,
    { accept, renew, read, lang }: Accepting & { readonly renew: boolean }): Promise<Saved> {
    const { rules, kernel } = this.#deps
    const before = await this.#own(context, id)
    if (read !== undefined && read !== before.changedAt) throw new RuleChanged(before.name)
    const draft = draftOf({ ...inputOf(before), ...changes })
    const author = this.#author(context, draft, accept, lang)
    const now = Math.max(kernel.now(), before.changedAt + 1)
    const keeps = before.webhook !== '' && !renew && draft.when.some(({ kind }) => kind === 'webhook')
    const secret = keeps ? undefined : this.#secretFor(draft)
    const webhook = keeps ? before.webhook : secret === undefined ? '' : hashOf(secret)
    const anew = { changedAt: now, armedAt: now, pausedReason: null, failures: 0 }
    await rules.replace({ ...before, ...draft, ...anew, author, webhook }, before)
    return await this.#saved(id, secret, lang)
  }

  /** @throws PRN_ERR_NO_SUCH_RULE, PRN_ERR_NOT_OWN_RULE */
  async remove (context: Context, id: string): Promise<void> {
    const { book, rules, kernel } = this.#deps
    await this.#own(context, id)
    await rules.remove(id, kernel.now())
    await book.reload()
  }

  /** Switching off is open to all who may act; switching on to a person who is its author or administrates. */
  async enable (context: Context, id: string, enabled: boolean, lang: Language): Promise<RuleView> {
    const { book, rules, kernel } = this.#deps
    const before = await this.#find(context, id)
    if (enabled) {
      authorOf(context, this.#deps.people(), before.then.some(({ kind }) => kind === 'call'))
      await this.#own(context, id)
      const { errors } = checkRule(before, this.#checkContext(context))
      if (errors.length > 0) throw new BadRule(problemsInWords(errors, lang))
    }
    const armedAt = enabled ? kernel.now() : before.armedAt
    await rules.replace({ ...before, enabled, armedAt, ...enabled && { pausedReason: null, failures: 0 } }, before)
    await book.reload()
    return (await this.#views([await this.#find(context, id)], lang))[0] as RuleView
  }

  /** Whoever may act switches rules off; on again only a person does. @throws PRN_ERR_RULE_AUTHOR */
  async switchAll (context: Context, enabled: boolean) {
    const { book, rules, kernel, people } = this.#deps
    if (enabled) authorOf(context, people(), true)
    await book.open()
    await rules.switchAll(enabled, kernel.now(), context.askedBy)
    await book.reload()
    return this.#service()
  }

  /** @throws PRN_ERR_ROLE_TOO_LOW, PRN_ERR_NO_SUCH_RULE, PRN_ERR_NOT_OWN_RULE, PRN_ERR_RULE */
  async try (context: Context, { rule, id }: Either, days: number, lang: Language) {
    const { kernel, words, schedule, book, engine: { clock } } = this.#deps
    const rights = rightsOf(context.caller)
    if (rights?.role === 'view') throw new RoleTooLow('rules.try', 'operate', rights.name, rights.role)
    await book.open()
    const draft = rule === undefined ? await this.#find(context, id ?? '') : draftOf(rule)
    const { errors } = checkRule(draft, this.#checkContext(context))
    if (errors.length > 0) throw new BadRule(problemsInWords(errors, lang))
    return await tryRule(draft, { kernel, words, schedule, days, lang, clock, sees: context.sees })
  }

  async runs (context: Context, filter: RunFilter, lang: Language) {
    const { book, runs } = this.#deps
    await book.open()
    if (filter.rule !== undefined) await this.#find(context, filter.rule)
    const own = book.all.filter(rule => this.#maySee(context, rule))
    const seen = seesAll(context) ? undefined : own.map(({ id }) => id)
    const found = await runs.list({ ...filter, rules: seen, limit: filter.limit + 1 })
    const shown = found.runs.slice(0, filter.limit)
    const last = shown.at(-1)
    return {
      runs: shown.map(run => runView(run, found.steps, this.#reader(lang))),
      cursor: found.runs.length > filter.limit && last !== undefined ? `${last.beganAt}_${last.id}` : null
    }
  }

  /** @throws PRN_ERR_NO_SUCH_RULE_RUN, PRN_ERR_NOT_OWN_RULE */
  async stop (context: Context, id: string): Promise<void> {
    const { book, runs, engine, kernel } = this.#deps
    await book.open()
    const run = await runs.find(id)
    const rule = run && book.find(run.rule)
    if (run === undefined || (rule !== undefined && !this.#maySee(context, rule))) throw new NoRuleRun(id)
    if (!await runs.stop(id, why('stopped_by', { name: context.askedBy }), kernel.now())) throw new NoRuleRun(id)
    engine.runner.drop(id)
  }

  /** After a restore: what they were about is over. */
  async stopRestored (): Promise<void> {
    const { runs, kernel } = this.#deps
    const { runs: running } = await runs.list({ state: 'running', limit: MOST.running })
    for (const { id } of running) await runs.stop(id, why('restored'), kernel.now())
  }

  /** @throws PRN_ERR_RULE, PRN_ERR_RULE_PROPOSALS_FULL */
  async propose (context: Context, input: RuleInput, reason: string, lang: Language) {
    const { book, rules, kernel } = this.#deps
    await book.open()
    const draft = draftOf(input)
    const { errors } = checkRule(draft, this.#checkContext(context))
    if (errors.length > 0) throw new BadRule(problemsInWords(errors, lang))
    const by = context.askedBy.slice(0, LONGEST_NAME)
    const owner = rightsOf(context.caller)?.id ?? ''
    const rule = JSON.stringify(sorted(inputOf(draft)))
    const id = hashOf(JSON.stringify([by, owner, rule])).slice(0, 32)
    const proposal = await rules.propose({ id, made_by: by, owner, at: kernel.now(), why: reason, rule })
    return this.#proposalView(context, proposal, lang)
  }

  async proposals (context: Context, lang: Language) {
    await this.#deps.book.open()
    const all = await this.#proposalsFor(context)
    return { proposals: all.map(proposal => this.#proposalView(context, proposal, lang)) }
  }

  /** @throws those of `add`, PRN_ERR_NO_SUCH_RULE_PROPOSAL */
  async accept (context: Context, id: string, accepting: Accepting): Promise<Saved> {
    const { rules, book } = this.#deps
    await book.open()
    const proposal = (await this.#proposalsFor(context)).find(one => one.id === id)
    if (proposal === undefined) throw new NoProposal(id)
    const draft = draftOf(JSON.parse(proposal.rule) as RuleInput)
    this.#author(context, draft, accepting.accept, accepting.lang)
    // Withdrawn first: of two people who accept it, one saves it.
    if (!await rules.withdraw(id)) throw new NoProposal(id)
    return await this.add(context, inputOf(draft), accepting)
  }

  /** @throws PRN_ERR_NO_SUCH_RULE_PROPOSAL */
  async discard (context: Context, id: string): Promise<void> {
    const isThere = (await this.#proposalsFor(context)).some(one => one.id === id)
    if (!isThere || !await this.#deps.rules.withdraw(id)) throw new NoProposal(id)
  }

  /** Those who see some printers see what they, or their programs, proposed. */
  async #proposalsFor (context: Context): Promise<Proposal[]> {
    const all = await this.#deps.rules.proposals()
    const rights = rightsOf(context.caller)
    return rights?.printers === undefined ? all : all.filter(({ owner }) => owner !== '' && owner === rights.id)
  }

  #checkContext (context: Context): CheckContext {
    const { kernel, words, schedule, hasBroker } = this.#deps
    const { caller } = context
    const sees = (printer: string) => context.sees(printer)
    return { kernel, words, caller, schedule, now: kernel.now(), hasBroker: hasBroker(), sees }
  }

  #checked (context: Context, draft: Draft, lang: Language): CheckView {
    return checkView(draft, this.#deps.words, lang, checkRule(draft, this.#checkContext(context)))
  }

  /** @throws PRN_ERR_RULE, PRN_ERR_RULE_NOT_ACCEPTED, PRN_ERR_RULE_AUTHOR */
  #author (context: Context, draft: Draft, accept: string, lang: Language): Rule['author'] {
    const acts = draft.then.some(({ kind }) => kind === 'call')
    const author = authorOf(context, this.#deps.people(), acts)
    const { errors } = checkRule(draft, this.#checkContext(context))
    const checked = checkView(draft, this.#deps.words, lang, { errors, warnings: [] })
    if (errors.length > 0) throw new BadRule(problemsInWords(errors, lang)).with({ errors: checked.errors })
    if (accept !== acceptanceOf(draft, this.#deps.words)) throw new NotAccepted()
    return author
  }

  #secretFor ({ when }: Draft): string | undefined {
    if (!when.some(({ kind }) => kind === 'webhook')) return undefined
    return randomBytes(24).toString('base64url')
  }

  async #saved (id: string, secret: string | undefined, lang: Language): Promise<Saved> {
    const { book } = this.#deps
    await book.reload()
    const rule = book.find(id)
    if (rule === undefined) throw new NoRule(id)
    const [view] = await this.#views([rule], lang)
    return { rule: view as RuleView, webhook: secret === undefined ? null : `/api/rules/webhook/${secret}` }
  }

  /** @throws PRN_ERR_NO_SUCH_RULE */
  async #find (context: Asker, id: string): Promise<Rule> {
    const { book } = this.#deps
    await book.open()
    const rule = book.find(id)
    if (rule === undefined || !this.#maySee(context, rule)) throw new NoRule(id)
    return rule
  }

  /** @throws PRN_ERR_NO_SUCH_RULE, PRN_ERR_NOT_OWN_RULE */
  async #own (context: Asker, id: string): Promise<Rule> {
    const rule = await this.#find(context, id)
    const isOwn = isAuthor(rule.author, context, this.#deps.people())
    if (!context.trusted && !isOwn) throw new NotOwnRule(rule.name, rule.author.name)
    return rule
  }

  #reader (lang: Language): Reader { return { words: this.#deps.words, lang, ruleOf: id => this.#deps.book.find(id) } }

  #maySee (context: Asker, rule: Rule): boolean { return maySee(rule, context, this.#deps.people()) }

  #service () {
    const { isOn, switchedAt = null, switchedBy } = this.#deps.book.shared
    return { enabled: isOn, changed_at: switchedAt, changed_by: switchedBy }
  }

  async #views (rules: readonly Rule[], lang: Language): Promise<RuleView[]> {
    const { words, engine, runs } = this.#deps
    const last = await runs.newest(rules.map(({ id }) => id))
    const newest = new Map(last.map((run): [string, RunView] => [run.rule, runView(run, [], this.#reader(lang))]))
    const nexts = engine.schedules.nexts()
    return rules.map(rule =>
      ruleView(rule, { words, lang, nextAt: nexts.get(rule.id), lastRun: newest.get(rule.id) ?? null }))
  }

  #proposalView (context: Context, { id, made_by: by, at, why, rule }: Proposal, lang: Language) {
    const input = JSON.parse(rule) as RuleInput
    return { id, by, at, why, rule: input, ...this.#checked(context, draftOf(input), lang) }
  }
}
