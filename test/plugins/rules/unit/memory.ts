import type { HeatStore } from '../../../../plugins/rules/heat-store.js'
import type { Edge, Tally } from '../../../../plugins/rules/rule-store.js'
import type { Advance, Claim, ClaimLimits, RunStore } from '../../../../plugins/rules/run-store.js'
import { MOST, type Heat, type Rule, type Run, type StepRecord } from '../../../../plugins/rules/types.js'

const HOUR_MS = 3_600_000

/** A database in memory, for several engines; it can fail before or after a write. */
export class Memory {
  readonly runs = new Map<string, Run>()
  readonly steps = new Map<string, StepRecord>()
  readonly edgeRows = new Map<string, Edge>()
  readonly ruleRows = new Map<string, Rule>()
  readonly heatRows = new Map<string, Heat>()
  /** Called before each use; throws to fail it. */
  fault: (what: string) => void = () => {}

  readonly store: RunStore = {
    claim: async (run: Run, { aliases, mostPerHour, mostOfAll }: ClaimLimits): Promise<Claim> => {
      this.fault('claim')
      if ([run.id, ...aliases].some(id => this.runs.has(id))) return 'taken'
      const rule = this.ruleRows.get(run.rule)
      if (rule?.changedAt !== run.version || !rule.enabled || rule.pausedReason !== null) return 'changed'
      const recent = [...this.runs.values()].filter(({ beganAt, state }) => beganAt > run.beganAt - HOUR_MS && state !== 'skipped')
      const own = recent.filter(one => one.rule === run.rule && one.printer === run.printer)
      const running = [...this.runs.values()].filter(({ state }) => state === 'running')
      if (running.some(one => one.rule === run.rule && one.printer === run.printer)) return 'busy'
      if (running.length >= MOST.running) return 'full'
      if (own.length >= mostPerHour) return 'rate'
      if (recent.length >= mostOfAll) return 'all'
      this.runs.set(run.id, run)
      return 'claimed'
    },
    skip: async run => {
      this.fault('skip')
      if (!this.runs.has(run.id)) this.runs.set(run.id, run)
    },
    advance: async (run: Run, { end, heats, cools, ...to }: Advance, record?: StepRecord) => {
      this.fault('advance')
      const row = this.runs.get(run.id)
      if (row === undefined || row.owner !== run.owner || row.state !== 'running' || row.step !== run.step || row.stepState !== run.stepState) return false
      const ended = end && { state: end.state, reason: end.reason, endedAt: end.at }
      this.runs.set(run.id, { ...row, ...to, waitUntil: to.waitUntil, ...ended })
      if (record) this.#put(record)
      if (cools !== undefined) this.heatRows.delete(cools)
      if (heats) this.heatRows.set(heats.id, heats)
      this.fault('advanced')
      return true
    },
    stop: async (id, reason, at) => {
      const row = this.runs.get(id)
      if (row?.state !== 'running') return false
      this.runs.set(id, { ...row, state: 'stopped', reason, endedAt: at })
      return true
    },
    renew: async (owner, ids, until) => {
      this.fault('renew')
      const ours = ids.filter(id => this.runs.get(id)?.owner === owner && this.runs.get(id)?.state === 'running')
      for (const id of ours) this.runs.set(id, { ...this.runs.get(id) as Run, leaseUntil: until })
      return ours
    },
    expired: async now => {
      this.fault('expired')
      return [...this.runs.values()].filter(({ state, leaseUntil }) => state === 'running' && leaseUntil < now)
    },
    takeOver: async (run, owner, until) => {
      const row = this.runs.get(run.id)
      if (row?.state !== 'running' || row.owner !== run.owner || row.leaseUntil !== run.leaseUntil) return false
      this.runs.set(run.id, { ...row, owner, leaseUntil: until })
      return true
    },
    find: async id => this.runs.get(id),
    list: async () => ({ runs: [...this.runs.values()], steps: [...this.steps.values()] }),
    newest: async () => [],
    acts: async (since, printer) => {
      this.fault('acts')
      const acts = [...this.steps.values()]
        .flatMap(({ act, at, run, state }) => act && state !== 'failed' ? [{ ...act, at, run: this.runs.get(run) }] : [])
      return acts.filter(({ at, printer: on }) => at > since && (printer ?? on) === on)
        .map(({ run, ...act }) => ({ ...act, rule: run?.rule ?? '', trail: run?.trail ?? [] }))
    },
    prune: async () => {}
  }

  readonly heat: HeatStore = {
    open: async () => {
      this.fault('heat')
      return [...this.heatRows.values()].map(heat => {
        const run = this.runs.get(heat.run)
        return { ...heat, endedAt: run?.state === 'running' ? undefined : run?.endedAt ?? heat.setAt }
      })
    },
    tell: async id => {
      this.fault('tell')
      const heat = this.heatRows.get(id)
      if (heat === undefined || heat.isTold) return false
      this.heatRows.set(id, { ...heat, isTold: true })
      return true
    },
    settle: async id => {
      this.fault('settle')
      this.heatRows.delete(id)
    },
    note: async record => { this.#put(record) }
  }

  /** What it did stays as it was recorded when it began. */
  #put (record: StepRecord): void {
    const key = `${record.run}:${record.step}`
    const act = record.act ?? this.steps.get(key)?.act
    this.steps.set(key, { ...record, ...act && { act } })
  }

  readonly rules = {
    turn: async (id: string, isTrue: boolean, at: number): Promise<Edge> => {
      this.fault('turn')
      const row = this.edgeRows.get(id)
      if (row !== undefined && row.isTrue === isTrue) return row
      const edge = { isTrue, since: at }
      this.edgeRows.set(id, edge)
      return edge
    },
    tally: async (id: string, version: number, work: (before: Tally) => Tally): Promise<Tally | undefined> => {
      const rule = this.ruleRows.get(id)
      if (rule?.changedAt !== version) return undefined
      const after = work(rule)
      this.ruleRows.set(id, { ...rule, ...after })
      return after
    }
  }
}
