import * as judge from './judge.js'
import type { Arrived, Asked, Fault, Owned, Stored, Told } from './judge.js'
import type { LinkRecord } from './links-process.js'
import type { Sight } from './observers.js'

const FAILOVER_MS = 15_000

export interface Recorded {
  readonly given: Readonly<Record<'minutes' | 'printers' | 'nodes' | 'hubs' | 'seed' | 'reportMs', number>>
  readonly asked: readonly Asked[]
  readonly arrived: readonly Arrived[]
  readonly record: LinkRecord
  readonly owned: readonly Owned[]
  readonly faults: readonly Fault[]
  readonly stream: readonly Stored[]
  readonly told: readonly Told[]
  readonly logs: readonly (readonly string[])[]
  readonly sight: Sight
  readonly shared: readonly string[]
  readonly jobs: readonly string[]
  /** Undefined where the nodes have no database in common. */
  readonly records: readonly judge.Recorded[] | undefined
  /** Nodes and hubs that ended without having been killed. */
  readonly died: readonly string[]
  readonly readyIn: number
  readonly calmIn: number
}

const seconds = (ms: number | undefined) => ms === undefined || !Number.isFinite(ms) ? '-' : (ms / 1000).toFixed(1)
const SHOWN = 8

/** A table for people. @returns it, and how many rules were broken */
export function summary (run: Recorded, nodesOf: (printer: string) => readonly string[]) {
  const { given, faults, record, arrived, shared } = run
  const isShared = new Set(shared)
  const ofShared = record.connected.filter(({ printer }) => isShared.has(printer))
  const overlaps = judge.overlaps(record.connected, faults)
  const commands = judge.commands(run.asked, arrived)
  const leases = judge.underOldLease(arrived.filter(({ printer }) => isShared.has(printer)), ofShared, run.owned)
  const moves = judge.failovers(ofShared, faults, shared, nodesOf)
  const clean = moves.filter(({ isClean }) => isClean).map(({ ms }) => ms).sort((a, b) => a - b)
  const others = moves.filter(({ isClean }) => !isClean).map(({ ms }) => ms).sort((a, b) => a - b)
  const alerts = judge.alerts(run.stream, run.told, run.logs, faults)
  const prints = run.records && judge.prints(run.jobs, run.records)
  const kinds = new Map<string, number>()
  for (const { kind } of faults) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const wrongs: string[] = []
  const rows: string[][] = []
  const row = (name: string, value: unknown, rule?: readonly string[] | number) => {
    const broken = typeof rule === 'number' ? rule : rule?.length
    rows.push([name, String(value), broken === undefined ? '' : broken === 0 ? 'holds' : `BROKEN (${broken})`])
    if (typeof rule === 'object') wrongs.push(...rule.slice(0, SHOWN).map(text => `${name}: ${text}`))
    return broken ?? 0
  }
  const broken = [
    row('run', `${given.minutes} min, ${given.nodes} nodes, ${given.hubs} hubs, ${given.printers} printers, ${shared.length} of them shared, a report every ${given.reportMs} ms, seed ${given.seed}`),
    row('faults', `${faults.length}: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')}`),
    row('all printers at all hubs, at first / after the last fault, s', `${seconds(run.readyIn)} / ${seconds(run.calmIn)}`, Number(!Number.isFinite(run.calmIn))),
    row('services that ended by themselves', run.died.length, run.died),
    row('connections to printers (of shared ones)', `${record.connected.length} (${ofShared.length})`),
    row('two nodes at one printer at one time', overlaps.together.length, overlaps.together),
    row('  beside a node that stands still, which cannot close', overlaps.besideStalled),
    row('  commands from one that was not the newest', record.late.length, record.late.map(sent => JSON.stringify(sent))),
    row('commands asked of hubs', `${commands.asked}: done ${commands.done}, refused ${commands.refused}, unknown ${commands.unknown} (of them done ${commands.unknownDone})`),
    row('commands that came twice', commands.twice, commands.twice),
    row('said to be done and never came', commands.lost, commands.lost),
    row('said to be refused and came', commands.untrue.length, commands.untrue),
    row('commands to shared printers, judged by the lease', leases.judged),
    row('  sent while another had the lease', leases.wrong.length, leases.wrong),
    row('shared printers that changed hands, nothing else wrong', `${clean.length}: median ${seconds(clean[clean.length >> 1])} s, longest ${seconds(clean.at(-1))} s`, clean.filter(ms => ms > FAILOVER_MS).length),
    row('  with other faults at the time', `${others.length}: median ${seconds(others[others.length >> 1])} s, longest ${seconds(others.at(-1))} s`),
    row('alerts the servers have', alerts.stored),
    row('  twice', alerts.twice, alerts.twice),
    row('  numbers missing in a journal', alerts.gaps, alerts.gaps),
    row('alerts the nodes told of', alerts.told),
    row('  that the servers do not have', alerts.toldAndLost.length, alerts.toldAndLost),
    row('  told within 250 ms of a kill, and lost with it', alerts.lostInCrash),
    row('alerts that hubs keep, of the fleet / by hub', `${alerts.keepable} / ${alerts.inLogs.join(', ')}`),
    row('  more than once, or of no node', alerts.doubled.length, alerts.doubled),
    row('  missing in the log of a hub', alerts.unseen.length, alerts.unseen),
    ...((prints && [
      row('jobs at the printers / that the history has', `${prints.jobs} / ${prints.recorded} (end unknown: ${prints.unknown})`),
      row('  recorded more than once', prints.doubled.length, prints.doubled),
      row('  that still run in it', prints.running.length, prints.running)
    ]) ?? []),
    row('looks at what hubs say of nodes that are gone', run.sight.checks),
    row('  without reason or age', run.sight.wrong.length, run.sight.wrong),
    row('looks at nodes that nothing was wrong with for half a minute', run.sight.heard),
    row('  that a hub did not hear', run.sight.unheard.length, run.sight.unheard)
  ].reduce((sum, count) => sum + count, 0)
  const widths = [0, 1].map(at => Math.max(...rows.map(cells => cells[at]?.length ?? 0)))
  const table = rows.map(cells => cells.map((cell, at) => cell.padEnd(Math.min(60, widths[at] ?? 0))).join('  ').trimEnd())
  return { text: [...table, ...wrongs].join('\n'), broken }
}
