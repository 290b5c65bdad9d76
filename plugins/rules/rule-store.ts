import { randomUUID } from 'node:crypto'
import type { Database } from '../database/index.js'
import { NoRule, ProposalsFull, RuleChanged, RulesFull } from './errors.js'
import { rowOfRule, ruleOf, type Db, type Tables } from './tables.js'
import { MOST, type Rule } from './types.js'
import { storedWhy, whyFrom, type Why } from './words/why.js'

/** What all services that share the database know. */
export interface Shared {
  readonly isOn: boolean
  readonly switchedAt: number | undefined
  readonly switchedBy: string
  /** Changes with every change of a rule. */
  readonly version: string
  /** When a service last looked at the clock; undefined: none ever did. */
  readonly seenAt: number | undefined
}

/** Whether a comparison holds, and since when: that identifies the time at which it became true. */
export interface Edge { readonly isTrue: boolean, readonly since: number }
export type Proposal = Tables['rules_proposals']

/** A run that paused its rule, or ended well again. */
export interface Tally { readonly failures: number, readonly pausedReason: Why | null }

/** Rows that are removed at a time. */
const REMOVED = 500

const count = async (db: Db, table: 'rules_rules' | 'rules_proposals'): Promise<number> =>
  Number((await db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst())?.count ?? 0)

const isThere = async (db: Db, id: string): Promise<boolean> =>
  await db.selectFrom('rules_rules').select('id').where('id', '=', id).executeTakeFirst() !== undefined

async function fact (db: Db, id: string, value: string, at: number, by: string): Promise<void> {
  await db.insertInto('rules_facts').values({ id, value, at, made_by: by })
    .onConflict(conflict => conflict.column('id').doUpdateSet({ value, at, made_by: by })).execute()
}

async function pruneEdges (db: Db, isUsed: (id: string) => boolean, before: number): Promise<void> {
  const rows = await db.selectFrom('rules_edges').select('id').where('since', '<', before).execute()
  const gone = rows.map(({ id }) => id).filter(id => !isUsed(id))
  for (let at = 0; at < gone.length; at += REMOVED) {
    await db.deleteFrom('rules_edges').where('id', 'in', gone.slice(at, at + REMOVED)).execute()
  }
}

async function propose (db: Db, proposal: Proposal): Promise<Proposal> {
  const { made_by: by, owner, rule } = proposal
  const same = await db.selectFrom('rules_proposals').selectAll()
    .where('made_by', '=', by).where('owner', '=', owner).where('rule', '=', rule).orderBy('at').executeTakeFirst()
  if (same !== undefined) return same
  if (await count(db, 'rules_proposals') >= MOST.proposals) throw new ProposalsFull(MOST.proposals)
  const own = await db.selectFrom('rules_proposals').select('id').where('made_by', '=', by).execute()
  if (own.length >= MOST.proposalsOfOne) throw new ProposalsFull(MOST.proposalsOfOne)
  // Its id is the same for the same proposal: of two services that store it at once, one does.
  await db.insertInto('rules_proposals').values(proposal).onConflict(conflict => conflict.column('id').doNothing()).execute()
  return proposal
}

const pausedOf = ({ paused }: Pick<Tables['rules_rules'], 'paused'>): Why | null =>
  paused === null ? null : whyFrom(paused) ?? null

const changed = (db: Db, at: number): Promise<void> => fact(db, 'version', randomUUID(), at, '')

/** Rules, proposals, and what services share. Methods throw PRN_ERR_DATABASE_UNAVAILABLE without a database. */
export function createRuleStore ({ query, change }: Pick<Database, 'query' | 'change'>) {
  return {
    rules: (): Promise<Rule[]> => query(async (db: Db) =>
      (await db.selectFrom('rules_rules').selectAll().orderBy('created_at').orderBy('id').execute()).map(ruleOf)),
    /** @throws PRN_ERR_RULES_FULL */
    add: (rule: Rule): Promise<void> => change(async (db: Db) => {
      if (await count(db, 'rules_rules') >= MOST.rules) throw new RulesFull(MOST.rules)
      await db.insertInto('rules_rules').values(rowOfRule(rule)).execute()
      await changed(db, rule.changedAt)
    }),
    /**
     * @param before what it was changed from
     * @throws PRN_ERR_NO_SUCH_RULE, PRN_ERR_RULE_CHANGED if somebody else changed it meanwhile
     */
    replace: (rule: Rule, before: Rule): Promise<void> => change(async (db: Db) => {
      const { id, ...columns } = rowOfRule(rule)
      const { numUpdatedRows } = await db.updateTable('rules_rules').set(columns)
        .where('id', '=', id).where('changed_at', '=', before.changedAt).executeTakeFirst()
      if (numUpdatedRows !== 1n) throw await isThere(db, id) ? new RuleChanged(rule.name) : new NoRule(id)
      await changed(db, rule.changedAt)
    }),
    /** @returns the tally of a run that ended; a rule that was changed meanwhile keeps its own */
    tally: (id: string, version: number, work: (before: Tally) => Tally, at: number): Promise<Tally | undefined> =>
      change(async (db: Db) => {
        const row = await db.selectFrom('rules_rules').select(['failures', 'paused'])
          .where('id', '=', id).where('changed_at', '=', version).executeTakeFirst()
        if (row === undefined) return undefined
        const before = { failures: row.failures, pausedReason: pausedOf(row) }
        const after = work(before)
        if (after.failures === before.failures && after.pausedReason === before.pausedReason) return after
        await db.updateTable('rules_rules').set({ failures: after.failures, paused: after.pausedReason && storedWhy(after.pausedReason) }).where('id', '=', id).execute()
        await changed(db, at)
        return after
      }),
    remove: (id: string, at: number): Promise<void> => change(async (db: Db) => {
      await db.deleteFrom('rules_rules').where('id', '=', id).execute()
      await changed(db, at)
    }),
    shared: (): Promise<Shared> => query(async (db: Db) => {
      const facts = new Map((await db.selectFrom('rules_facts').selectAll().execute()).map(row => [row.id, row]))
      const toggle = facts.get('switch')
      return {
        isOn: toggle?.value !== 'off',
        switchedAt: toggle?.at,
        switchedBy: toggle?.made_by ?? '',
        version: facts.get('version')?.value ?? '',
        seenAt: facts.get('seen')?.at
      }
    }),
    switchAll: (isOn: boolean, at: number, by: string): Promise<void> => query((db: Db) => fact(db, 'switch', isOn ? 'on' : 'off', at, by)),
    see: (at: number): Promise<void> => query((db: Db) => fact(db, 'seen', '', at, '')),
    edges: (): Promise<Map<string, Edge>> => query(async (db: Db) => new Map((await db.selectFrom('rules_edges').selectAll().execute())
      .map(({ id, is_true: isTrue, since }) => [id, { isTrue: isTrue === 1, since }]))),
    /** Another service may have seen the same: then its time counts. */
    turn: (id: string, isTrue: boolean, at: number): Promise<Edge> => change(async (db: Db) => {
      const row = await db.selectFrom('rules_edges').selectAll().where('id', '=', id).executeTakeFirst()
      if (row !== undefined && (row.is_true === 1) === isTrue) return { isTrue, since: row.since }
      const columns = { is_true: isTrue ? 1 : 0, since: at }
      await db.insertInto('rules_edges').values({ id, ...columns })
        .onConflict(conflict => conflict.column('id').doUpdateSet(columns)).execute()
      return { isTrue, since: at }
    }),
    /** Removes what was seen of comparisons that no rule makes any more. @param isUsed by the id of an edge */
    pruneEdges: (isUsed: (id: string) => boolean, before: number): Promise<void> =>
      query((db: Db) => pruneEdges(db, isUsed, before)),
    proposals: (): Promise<Proposal[]> => query((db: Db) =>
      db.selectFrom('rules_proposals').selectAll().orderBy('at').orderBy('id').execute()),
    /**
     * @returns what is there now: the first, if its author has proposed the same before
     * @throws PRN_ERR_RULE_PROPOSALS_FULL
     */
    propose: (proposal: Proposal): Promise<Proposal> => change((db: Db) => propose(db, proposal)),
    /** @returns whether it was still there */
    withdraw: (id: string): Promise<boolean> => query(async (db: Db) =>
      (await db.deleteFrom('rules_proposals').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n)
  }
}

export type RuleStore = ReturnType<typeof createRuleStore>
