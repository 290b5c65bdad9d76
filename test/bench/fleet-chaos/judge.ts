// What a run has shown, from what was recorded outside of the services. Times are ms since the epoch of this machine.

export interface Span { readonly from: number, readonly to: number }
/** A connection of a node to a printer. */
export interface Connected extends Span { readonly printer: string, readonly node: string }
/** Something as long as a command, over a connection that was not the newest to its printer. */
export interface Sent { readonly printer: string, readonly node: string, readonly at: number, readonly bytes: number }
/** A command as a printer got it. */
export interface Arrived { readonly mark: number, readonly printer: string, readonly at: number }
/** A command as it was asked of a hub. `unknown`: nobody can say, such as of a hub that was killed meanwhile. */
export interface Asked { readonly mark: number, readonly outcome: 'done' | 'refused' | 'unknown', readonly text: string }
/** The entry of a lease as the servers stored it. */
export interface Owned { readonly printer: string, readonly node: string | undefined, readonly at: number }
export interface Fault extends Span {
  readonly kind: string
  readonly target: string
  /** It is being mended, which takes until `to`. */
  readonly isMending?: boolean
}
/** An alert as text that is the same wherever it is met. */
export interface Stored {
  readonly journal: string
  readonly number: number
  readonly alert: string
  /** Hubs keep it in their logs. */
  readonly isKept: boolean
}
export interface Told { readonly node: string, readonly alert: string, readonly at: number }

function grouped<One> (all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>()
  for (const one of all) groups.set(keyOf(one), [...groups.get(keyOf(one)) ?? [], one])
  return groups
}

/** A print as the history has it. */
export interface Recorded { readonly name: string, readonly printer: string, readonly result: string }

/**
 * What the history has of jobs, whose names are all different. A job that ended while no node watched its printer may
 * have no record, or one whose end nobody knows.
 */
export function prints (jobs: readonly string[], records: readonly Recorded[]) {
  const byName = grouped(records, ({ name }) => name)
  return {
    jobs: jobs.length,
    recorded: jobs.filter(name => byName.has(name)).length,
    unknown: records.filter(({ result }) => result === 'unknown').length,
    doubled: [...byName].filter(([, all]) => all.length > 1).map(([name, all]) =>
      `${name} at ${all[0]?.printer}: ${all.map(({ result }) => result).join(', ')}`),
    /** Nothing runs any more. */
    running: records.filter(({ result }) => result === 'running').map(({ name, printer }) => `${name} at ${printer}`)
  }
}

const meet = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to

/** Two nodes at one printer at one time. @returns those of a node that stood still apart: it cannot close anything */
export function overlaps (connected: readonly Connected[], faults: readonly Fault[]) {
  const found = { together: [] as string[], besideStalled: 0 }
  const stalls = faults.filter(({ kind }) => kind === 'node stands still')
  for (const entries of grouped(connected, ({ printer }) => printer).values()) {
    entries.forEach((one, at) => {
      for (const other of entries.slice(at + 1)) {
        if (one.node === other.node || !meet(one, other)) continue
        const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
        // It closes what it has as soon as it runs again.
        const isStalled = stalls.some(({ target, from, to }) =>
          [one.node, other.node].includes(target) && meet(both, { from, to: to + 1_000 }))
        if (isStalled) found.besideStalled++
        else found.together.push(`${one.printer}: ${one.node} and ${other.node} for ${both.to - both.from} ms`)
      }
    })
  }
  return found
}

export function commands (asked: readonly Asked[], arrived: readonly Arrived[]) {
  const times = new Map<number, number>()
  for (const { mark } of arrived) times.set(mark, (times.get(mark) ?? 0) + 1)
  const timesOf = ({ mark }: Asked) => times.get(mark) ?? 0
  const having = (outcome: Asked['outcome']) => asked.filter(one => one.outcome === outcome)
  return {
    asked: asked.length,
    done: having('done').length,
    refused: having('refused').length,
    unknown: having('unknown').length,
    unknownDone: having('unknown').filter(one => timesOf(one) > 0).length,
    twice: asked.filter(one => timesOf(one) > 1).length,
    lost: having('done').filter(one => timesOf(one) === 0).length,
    /** Refused, and yet done. */
    untrue: having('refused').filter(one => timesOf(one) > 0).map(({ mark, text }) => `${mark}: ${text}`)
  }
}

/**
 * Commands that reached a shared printer by a node after another had got its lease. A node connects when it has a
 * lease; what the log of the servers, which is read through servers that are killed, shows of before says nothing.
 */
export function underOldLease (arrived: readonly Arrived[], connected: readonly Connected[], owned: readonly Owned[]) {
  const byPrinter = grouped(owned, ({ printer }) => printer)
  const found = { judged: 0, wrong: [] as string[] }
  for (const { mark, printer, at } of arrived) {
    const way = connected.findLast(one => one.printer === printer && one.from <= at && at <= one.to + 1_000)
    const owner = byPrinter.get(printer)?.findLast(entry => entry.at <= at)
    if (owner === undefined || way === undefined) continue
    if (owner.at < way.from) continue
    found.judged++
    if (owner.node !== way.node) found.wrong.push(`${mark} at ${printer} by ${way.node}, held by ${owner.node}`)
  }
  return found
}

export interface Failover { readonly printer: string, readonly ms: number, readonly isClean: boolean }

const DISTURBING_MS = 20_000

/**
 * How long a shared printer had no session after its holder was killed or cut off. Clean: nothing else was wrong
 * from before it until another node had time to take over.
 */
export function failovers (connected: readonly Connected[], faults: readonly Fault[], shared: readonly string[],
  nodesOf: (printer: string) => readonly string[]): Failover[] {
  const ends = faults.filter(({ kind }) => /^node (killed|cut off|falls silent)/.test(kind))
  return ends.flatMap(end => {
    const others = faults.filter(other => other !== end &&
      meet(other, { from: end.from - DISTURBING_MS, to: end.from + DISTURBING_MS }))
    return shared.filter(printer => nodesOf(printer).includes(end.target)).flatMap(printer => {
      const held = connected.some(one => one.printer === printer && one.node === end.target &&
        one.from <= end.from && one.to >= end.from)
      const next = connected.find(one => one.printer === printer && one.from > end.from)
      return held && next !== undefined
        ? [{ printer, ms: next.from - end.from, isClean: others.length === 0 }]
        : []
    })
  })
}

const countsOf = (texts: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** What a crash may take with it: it was told in the same moment. */
const TAIL_MS = 250

export function alerts (stream: readonly Stored[], told: readonly Told[], logs: readonly (readonly string[])[],
  faults: readonly Fault[]) {
  const twice = stream.length - new Set(stream.map(({ journal, number }) => `${journal} ${number}`)).size
  let gaps = 0
  for (const entries of grouped(stream, ({ journal }) => journal).values()) {
    gaps += Math.max(...entries.map(({ number }) => number)) - new Set(entries.map(({ number }) => number)).size
  }
  const stored = countsOf(stream.map(({ alert }) => alert))
  const missing = told.filter(({ alert }) => !stored.has(alert))
  const isTail = ({ node, at }: Told) => faults.some(({ kind, target, from }) =>
    kind === 'node killed' && target === node && Math.abs(from - at) < TAIL_MS)
  const kept = new Set(stream.filter(({ isKept }) => isKept).map(({ alert }) => alert))
  const perHub = logs.map(countsOf)
  return {
    stored: stream.length,
    twice,
    gaps,
    told: told.length,
    toldAndLost: missing.filter(one => !isTail(one)).map(({ node, alert }) => `${node}: ${alert}`),
    lostInCrash: missing.filter(isTail).length,
    keepable: kept.size,
    inLogs: logs.map(({ length }) => length),
    /** In the log of a hub more than once, or unknown to the servers. */
    doubled: perHub.flatMap(counts => [...counts].filter(([alert, count]) => count > 1 || !kept.has(alert))
      .map(([alert]) => alert)),
    /** Not in the log of a hub. */
    unseen: perHub.flatMap((counts, hub) => [...kept].filter(alert => !counts.has(alert))
      .map(alert => `${hub + 1}: ${alert}`))
  }
}
