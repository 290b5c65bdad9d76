import type { Database } from '../database/index.js'
import { actOf, rowOfHeat, rowOfRun, rowOfStep, runOf, stepOf, type Db } from './tables.js'
import { MOST, type Act, type Heat, type Run, type RunState, type StepRecord } from './types.js'
import { storedWhy, why, type Why } from './words/why.js'

const HOUR_MS = 3_600_000
/** Runs that are taken over or removed at a time. */
const BATCH = 50
const REMOVED = 500
/** Acts of the past that are looked at. */
const MOST_ACTS = 1_000

/** What a run may follow: `taken`: it, or another key of the same occurrence, is known already. */
export type Claim = 'claimed' | 'taken' | 'changed' | 'busy' | 'full' | 'rate' | 'all'

export interface ClaimLimits {
  /** Ids of other keys of the same occurrence. */
  readonly aliases: readonly string[]
  readonly mostPerHour: number
  /** Of all rules. */
  readonly mostOfAll: number
}

/** Where a run was, and where it goes. Nothing changes if it is elsewhere, or belongs to another service. */
export interface Advance {
  readonly step: number
  readonly stepState: Run['stepState']
  readonly waitUntil?: number | undefined
  readonly leaseUntil: number
  /** Left out: it goes on. */
  readonly end?: { readonly state: RunState, readonly reason: Why | undefined, readonly at: number }
  /** The run owns this heat from now on. */
  readonly heats?: Heat | undefined
  /** Id of heat that it has ended. */
  readonly cools?: string | undefined
}

/** An act of a rule in the past. */
export interface PastAct extends Act { readonly at: number, readonly rule: string, readonly trail: readonly string[] }

export interface RunFilter {
  readonly rule?: string | undefined
  readonly rules?: readonly string[] | undefined
  readonly state?: RunState | undefined
  readonly limit: number
  readonly after?: { readonly at: number, readonly id: string } | undefined
}

export interface RunStore {
  claim (run: Run, limits: ClaimLimits): Promise<Claim>
  /** Records that a rule did not run; an occurrence that is known already stays as it is. */
  skip (run: Run): Promise<void>
  /** @returns false if the run is no longer there, or no longer ours */
  advance (run: Run, to: Advance, record?: StepRecord): Promise<boolean>
  /** Ends a run from outside, in whatever state it is. @returns false if it has ended */
  stop (id: string, reason: Why, at: number): Promise<boolean>
  /** @returns those that are still ours */
  renew (owner: string, ids: readonly string[], until: number): Promise<readonly string[]>
  expired (now: number): Promise<readonly Run[]>
  /** @returns whether it is ours now */
  takeOver (run: Run, owner: string, until: number): Promise<boolean>
  find (id: string): Promise<Run | undefined>
  list (filter: RunFilter): Promise<{ readonly runs: readonly Run[], readonly steps: readonly StepRecord[] }>
  /** The newest run of each of these rules that was not skipped. */
  newest (rules: readonly string[]): Promise<readonly Run[]>
  /** Acts of all rules on a printer, or on none, newest first; without those that failed. */
  acts (since: number, printer: string | undefined): Promise<readonly PastAct[]>
  prune (before: number, most: number): Promise<void>
}

/** Every method throws PRN_ERR_DATABASE_UNAVAILABLE while the database cannot be used. */
export const createRunStore = (database: Pick<Database, 'query' | 'change'>): RunStore => ({
  ...acting(database),
  ...reading(database)
})

type Acting = Pick<RunStore, 'claim' | 'skip' | 'advance' | 'stop' | 'renew' | 'takeOver'>

function acting ({ query, change }: Pick<Database, 'query' | 'change'>): Acting {
  return {
    claim: (run, limits) => change((db: Db) => claim(db, run, limits)),
    skip: run => query(async (db: Db) => {
      await db.insertInto('rules_runs').values(rowOfRun(run)).onConflict(conflict => conflict.column('id').doNothing()).execute()
    }),
    advance: (run, to, record) => change(async (db: Db) => {
      const { end, step, stepState, waitUntil = null, leaseUntil, heats, cools } = to
      const { numUpdatedRows } = await db.updateTable('rules_runs')
        .set({
          step,
          step_state: stepState,
          wait_until: waitUntil,
          lease_until: leaseUntil,
          ...(end && { state: end.state, reason: storedWhy(end.reason), ended_at: end.at })
        })
        .where('id', '=', run.id).where('owner', '=', run.owner).where('state', '=', 'running')
        .where('step', '=', run.step).where('step_state', '=', run.stepState).executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      if (record) await putStep(db, record)
      if (cools !== undefined) await db.deleteFrom('rules_heat').where('id', '=', cools).execute()
      if (heats) {
        const { id, ...columns } = rowOfHeat(heats)
        await db.insertInto('rules_heat').values({ id, ...columns })
          .onConflict(conflict => conflict.column('id').doUpdateSet(columns)).execute()
      }
      return true
    }),
    stop: (id, reason, at) => change(async (db: Db) => {
      const { numUpdatedRows } = await db.updateTable('rules_runs').set({ state: 'stopped', reason: storedWhy(reason), ended_at: at })
        .where('id', '=', id).where('state', '=', 'running').executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      await db.updateTable('rules_steps').set({ state: 'stopped', ended_at: at })
        .where('run', '=', id).where('state', '=', 'waiting').execute()
      await db.updateTable('rules_steps').set({ state: 'unclear', reason: storedWhy(why('stopped_acting')), ended_at: at })
        .where('run', '=', id).where('state', '=', 'acting').execute()
      return true
    }),
    async renew (owner, ids, until) {
      if (ids.length === 0) return []
      return await query(async (db: Db) => {
        await db.updateTable('rules_runs').set({ lease_until: until })
          .where('owner', '=', owner).where('state', '=', 'running').where('id', 'in', ids).execute()
        const rows = await db.selectFrom('rules_runs').select('id')
          .where('owner', '=', owner).where('state', '=', 'running').where('id', 'in', ids).execute()
        return rows.map(({ id }) => id)
      })
    },
    takeOver: (run, owner, until) => query(async (db: Db) => {
      const { numUpdatedRows } = await db.updateTable('rules_runs').set({ owner, lease_until: until })
        .where('id', '=', run.id).where('state', '=', 'running').where('owner', '=', run.owner)
        .where('lease_until', '=', run.leaseUntil).executeTakeFirst()
      return numUpdatedRows === 1n
    })
  }
}

/** What it did stays as it was recorded when it began. */
export async function putStep (db: Db, record: StepRecord): Promise<void> {
  const { id, run, step, at, what, act, ...columns } = rowOfStep(record)
  await db.insertInto('rules_steps').values({ id, run, step, at, what, act, ...columns })
    .onConflict(conflict => conflict.column('id').doUpdateSet(what === '' ? columns : { ...columns, at, what })).execute()
}

/** In one transaction, so that of two services only one gets it. */
async function claim (db: Db, run: Run, { aliases, mostPerHour, mostOfAll }: ClaimLimits): Promise<Claim> {
  const known = await db.selectFrom('rules_runs').select('id').where('id', 'in', [run.id, ...aliases]).limit(1).executeTakeFirst()
  if (known) return 'taken'
  const main = await db.selectFrom('rules_facts').select('value').where('id', '=', 'switch').executeTakeFirst()
  if (main?.value === 'off') return 'changed'
  const rule = await db.selectFrom('rules_rules').select(['changed_at', 'enabled', 'paused']).where('id', '=', run.rule).executeTakeFirst()
  if (rule?.changed_at !== run.version || rule.enabled !== 1 || rule.paused !== null) return 'changed'
  const since = run.beganAt - HOUR_MS
  const counted = () => db.selectFrom('rules_runs').select(({ fn }) => fn.countAll<number>().as('count'))
    .where('began_at', '>', since).where('state', '!=', 'skipped')
  const own = run.printer === undefined
    ? counted().where('rule', '=', run.rule).where('printer', 'is', null)
    : counted().where('rule', '=', run.rule).where('printer', '=', run.printer)
  // However long ago it began: a run may wait for a week.
  const running = await db.selectFrom('rules_runs').select(['rule', 'printer']).where('state', '=', 'running').execute()
  if (running.some(({ rule: of, printer }) => of === run.rule && printer === (run.printer ?? null))) return 'busy'
  if (running.length >= MOST.running) return 'full'
  if (Number((await own.executeTakeFirst())?.count ?? 0) >= mostPerHour) return 'rate'
  if (Number((await counted().executeTakeFirst())?.count ?? 0) >= mostOfAll) return 'all'
  await db.insertInto('rules_runs').values(rowOfRun(run)).execute()
  return 'claimed'
}

function reading ({ query }: Pick<Database, 'query'>): Omit<RunStore, keyof Acting> {
  return {
    expired: now => query(async (db: Db) => (await db.selectFrom('rules_runs').selectAll().where('state', '=', 'running')
      .where('lease_until', '<', now).orderBy('lease_until').limit(BATCH).execute()).map(runOf)),
    find: id => query(async (db: Db) => {
      const row = await db.selectFrom('rules_runs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && runOf(row)
    }),
    list: filter => query((db: Db) => list(db, filter)),
    newest: rules => query(async (db: Db) => {
      if (rules.length === 0) return []
      const rows = await db.selectFrom('rules_runs').selectAll()
        .where(({ eb, selectFrom }) => eb('id', 'in', selectFrom('rules_rules').select(inner =>
          inner.selectFrom('rules_runs as newest').select('newest.id').whereRef('newest.rule', '=', 'rules_rules.id')
            .where('newest.state', '!=', 'skipped').orderBy('newest.began_at', 'desc').orderBy('newest.id', 'desc').limit(1).as('id'))))
        .execute()
      return rows.map(runOf)
    }),
    acts: (since, printer) => query(async (db: Db) => {
      const rows = await db.selectFrom('rules_steps').innerJoin('rules_runs', 'rules_runs.id', 'rules_steps.run')
        .select(['rules_steps.at', 'rules_steps.act', 'rules_runs.rule', 'rules_runs.trail'])
        .where('rules_steps.at', '>', since).where('rules_steps.act', 'is not', null).where('rules_steps.state', '!=', 'failed')
        .orderBy('rules_steps.at', 'desc').limit(MOST_ACTS).execute()
      return rows.map(({ at, act, rule, trail }) => ({ ...actOf(act ?? '{}'), at, rule, trail: JSON.parse(trail) as string[] }))
        .filter(act => printer === undefined || act.printer === undefined || act.printer === printer)
    }),
    prune: (before, most) => query(async (db: Db) => {
      // Each by itself: a flood of rules that did not run must not remove what others did.
      await prune(db, before, most, '=')
      await prune(db, before, most, '!=')
    })
  }
}

async function list (db: Db, { rule, rules, state, limit, after }: RunFilter) {
  if (rules?.length === 0) return { runs: [], steps: [] }
  let rows = db.selectFrom('rules_runs').selectAll().orderBy('began_at', 'desc').orderBy('id', 'desc').limit(limit)
  if (rule !== undefined) rows = rows.where('rule', '=', rule)
  if (rules !== undefined) rows = rows.where('rule', 'in', rules)
  if (state !== undefined) rows = rows.where('state', '=', state)
  if (after !== undefined) {
    rows = rows.where(({ eb, and, or }) => or([
      eb('began_at', '<', after.at), and([eb('began_at', '=', after.at), eb('id', '<', after.id)])
    ]))
  }
  const runs = (await rows.execute()).map(runOf)
  if (runs.length === 0) return { runs, steps: [] }
  const steps = await db.selectFrom('rules_steps').selectAll()
    .where('run', 'in', runs.map(({ id }) => id)).orderBy('run').orderBy('step').execute()
  return { runs, steps: steps.map(stepOf) }
}

async function prune (db: Db, before: number, most: number, isSkipped: '=' | '!='): Promise<void> {
  const newest = await db.selectFrom('rules_runs').select('began_at').where('state', isSkipped, 'skipped').orderBy('began_at', 'desc').offset(most).limit(1).executeTakeFirst()
  const limit = Math.max(before, Number(newest?.began_at ?? 0))
  for (;;) {
    const gone = await db.selectFrom('rules_runs').select('id').where('state', '!=', 'running').where('state', isSkipped, 'skipped')
      .where('began_at', '<', limit).limit(REMOVED).execute()
    if (gone.length === 0) return
    const ids = gone.map(({ id }) => id)
    await db.deleteFrom('rules_steps').where('run', 'in', ids).execute()
    await db.deleteFrom('rules_runs').where('id', 'in', ids).execute()
  }
}
