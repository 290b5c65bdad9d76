import type { Usage } from './daemon.js'
import type { Figures } from './figures.js'
import type { Balance } from './ledger.js'

export interface Sample { readonly at: number, readonly usage: Usage }

interface Line {
  readonly now: Sample
  readonly last: Sample | undefined
  readonly seen: Figures
  /** ms that `GET /api/printer` took in this minute, sorted. */
  readonly latencies: readonly number[]
  readonly due: number
  readonly came: number
  readonly troubles: Readonly<Record<string, number>>
  readonly linked: number
}

const MOST_NAMED = 12

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
const cpuPct = (now: Sample, last: Sample) => (now.usage.cpuMs - last.usage.cpuMs) / (now.at - last.at) * 100
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)

/** What a minute was like. */
export function report ({ now, last, seen, latencies, due, came, troubles, linked }: Line): string {
  const { residentMb, descriptors } = now.usage
  return [
    `${residentMb.toFixed(0)} MB`, `${descriptors} descriptors`,
    `CPU ${last ? cpuPct(now, last).toFixed(0) : '-'} %`,
    `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
    `${linked} connected`, `${sum(troubles)} faults`, `${due} alerts due, ${came} came`, `${seen.streaming} streams`,
    ...seen.bad.slice(-1)
  ].join(' | ')
}

/** A figure, and whether it holds; undefined where it is told for itself. */
export interface Bar { readonly name: string, readonly what: string, readonly pass?: boolean }

/** What came of the kill. */
export interface Return {
  readonly upMs: number
  /** Until all printers were connected, ms; undefined when they were not. */
  readonly linkedMs: number | undefined
  /** Files that differ, or were set aside. */
  readonly changed: readonly string[]
  /** Alerts though nothing had happened. */
  readonly alerts: readonly string[]
  /** Preferences that it had said were stored. */
  readonly forgotten: readonly string[]
}

interface Outcome {
  readonly account: Balance
  readonly killed: Return
  readonly seen: Figures
  readonly latencies: readonly number[]
  readonly stopMs: number
  readonly before: readonly Sample[]
  readonly after: readonly Sample[]
  readonly health: number
  readonly troubles: Readonly<Record<string, number>>
}

const named = (list: readonly string[]): string =>
  list.length === 0 ? 'none' : `${list.length}: ${list.slice(0, MOST_NAMED).join('; ')}`

const median = (values: readonly number[]) => percentile([...values].sort((a, b) => a - b), 0.5)

/** The third after the first quarter against the last third of one life of the service. */
function growth (samples: readonly Sample[], of: (usage: Usage) => number): readonly [early: number, late: number] {
  const third = Math.max(1, Math.floor(samples.length / 3))
  const values = samples.map(({ usage }) => of(usage))
  return [median(values.slice(third, 2 * third)), median(values.slice(-third))]
}

const MOST_RESIDENT_MB = 250
const MOST_CPU_PCT = 25
const MOST_P99_MS = 20
const MOST_GROWTH = 1.15
const MOST_STOP_MS = 2_000

function leaks (name: string, samples: readonly Sample[], of: (usage: Usage) => number): Bar {
  const [early, late] = growth(samples, of)
  const isLong = samples.length >= 6
  return {
    name: `${name}, later in one life than earlier`,
    what: `${early.toFixed(0)} → ${late.toFixed(0)}${isLong ? '' : ' (too short to tell)'}`,
    ...(isLong && { pass: late <= early * MOST_GROWTH })
  }
}

export function verdict (run: Outcome): Bar[] {
  const { account, killed, seen, latencies, before, after } = run
  const all = [...before, ...after]
  const resident = Math.max(...all.map(({ usage }) => usage.residentMb))
  const cpus = [before, after].flatMap(life => life.slice(1).map((now, at) => cpuPct(now, life[at] as Sample)))
  const p99 = percentile([...latencies].sort((a, b) => a - b), 0.99)
  return [
    { name: 'faults', what: `${sum(run.troubles)}: ${JSON.stringify(run.troubles)}` },
    { name: 'alerts due that came', what: String(account.matched) },
    { name: 'alerts lost', what: named(account.lost), pass: account.lost.length === 0 },
    { name: 'alerts that were not true', what: named(account.untrue), pass: account.untrue.length === 0 },
    { name: 'verdicts on pictures', what: String(run.health) },
    { name: 'after kill -9: false alerts', what: named(killed.alerts), pass: killed.alerts.length === 0 },
    { name: 'after kill -9: files that differ', what: named(killed.changed), pass: killed.changed.length === 0 },
    { name: 'after kill -9: preferences lost', what: named(killed.forgotten), pass: killed.forgotten.length === 0 },
    {
      name: 'after kill -9: back',
      what: `${killed.upMs.toFixed(0)} ms, all printers ${killed.linkedMs?.toFixed(0) ?? 'never'} ms later`,
      pass: killed.linkedMs !== undefined
    },
    { name: 'answers', what: JSON.stringify(seen.answers) },
    { name: 'answers that must not be', what: named(seen.bad), pass: seen.bad.length === 0 },
    { name: 'pictures', what: `${seen.streamedMb} MB` },
    { name: 'resident memory, most', what: `${resident.toFixed(0)} MB`, pass: resident <= MOST_RESIDENT_MB },
    leaks('resident memory', after, ({ residentMb }) => residentMb),
    leaks('descriptors', after, ({ descriptors }) => descriptors),
    { name: 'CPU of one core', what: `median ${median(cpus).toFixed(0)} %`, pass: median(cpus) <= MOST_CPU_PCT },
    { name: 'GET /api/printer', what: `p99 ${p99.toFixed(1)} ms of ${latencies.length}`, pass: p99 <= MOST_P99_MS },
    { name: 'SIGTERM to exit', what: `${run.stopMs.toFixed(0)} ms`, pass: run.stopMs <= MOST_STOP_MS }
  ]
}
