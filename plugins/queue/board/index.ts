import { textOf, WARMING, type Why } from '../decide/index.js'
import { expectedView, type Lane, type Outlook, type Slot } from '../forecast/index.js'
import { partsOfJob } from '../parts.js'
import type { Job } from '../types.js'
import { jobGroups, type JobGroup } from './job-groups.js'
import type { BoardView, GroupView, LaneView } from './schemas.js'

export { jobGroups } from './job-groups.js'

const HOUR_MS = 3_600_000
/** Copies in progress that a group lists. */
const MOST_RUNS = 8

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((total, one) => total + of(one), 0)
const waitingOf = ({ copies, taken }: Job): number => copies - taken

/** What is done for a run before it is sent, if that takes its time. */
function whyNotSent (serial: string, { printers }: Outlook['view']): Why | undefined {
  const found = printers.find(printer => printer.serial === serial)?.problem?.why
  return found && WARMING.includes(found.code) ? found : undefined
}

function runsOf ({ runs }: JobGroup, { view, forecast: { lanes } }: Outlook): GroupView['runs'] {
  const unknownFirst = [...runs].sort((a, b) => Number(b.state === 'unknown') - Number(a.state === 'unknown'))
  return unknownFirst.slice(0, MOST_RUNS).map(({ job, printer, serial, state, reason }) => {
    const running = lanes.get(serial)?.running
    const endsAt = running ? Math.round(running.endsAt) : null
    const why = state === 'preparing' ? whyNotSent(serial, view) : undefined
    const words = why ? textOf(why) : reason
    return { job, printer, state, reason: words, why: why ?? null, percent: running?.percent ?? 0, ends_at: endsAt }
  })
}

function viewOfGroup (group: JobGroup, outlook: Outlook): GroupView {
  const { key, section, jobs, plate, why, expected } = group
  const [first] = jobs
  return {
    key,
    section,
    first: first?.id ?? '',
    jobs: jobs.length,
    name: first?.name ?? '',
    priority: first?.priority ?? 0,
    file: first?.alternatives[0]?.file ?? '',
    plate: first?.alternatives[0]?.plate ?? 1,
    seconds: plate?.seconds ?? null,
    grams: plate?.grams ?? null,
    filaments: plate?.filaments.map(({ type, color }) => ({ type, color })) ?? [],
    copies: sum(jobs, ({ copies }) => copies),
    finished: sum(jobs, ({ finished }) => finished),
    parts: partsOf(jobs, outlook.snapshot.files),
    waiting: sum(jobs, waitingOf),
    runs: runsOf(group, outlook),
    reason: why ? textOf(why) : '',
    why: why ?? null,
    expected: expectedView(expected)
  }
}

/** The parts of all jobs of a group, which print the same plate. */
function partsOf (jobs: readonly Job[], files: Outlook['snapshot']['files']): GroupView['parts'] {
  const known = jobs.flatMap(job => partsOfJob(job, files) ?? [])
  const [first] = known
  if (first === undefined) return null
  return {
    per_copy: first.perCopy,
    finished: sum(known, ({ finished }) => finished),
    wanted: sum(known, ({ wanted }) => wanted)
  }
}

const barOf = ({ job, name, startsAt, endsAt }: Slot) =>
  ({ job, name, is_running: false, percent: 0, starts_at: Math.round(startsAt), ends_at: Math.round(endsAt) })

function laneView (lane: Lane, slots: readonly Slot[], until: number): LaneView {
  const { printer, waitsFor, isAbsent, running } = lane
  const now = running
    ? [{
        job: running.job,
        name: running.name,
        is_running: true,
        percent: running.percent,
        starts_at: Math.round(running.startsAt),
        ends_at: Math.round(running.endsAt)
      }]
    : []
  return {
    printer,
    waits_for: waitsFor ?? null,
    is_absent: isAbsent,
    bars: [...now, ...slots.filter(({ startsAt }) => startsAt < until).map(barOf)]
  }
}

export interface BoardQuery {
  readonly limit: number
  readonly from: number
  /** Of the lanes; 0 for none. */
  readonly hours: number
}

/** Open jobs in groups, with what is expected of them; all but the rows of the printers. */
export function boardOf (outlook: Outlook, { limit, from, hours }: BoardQuery): Omit<BoardView, 'printers'> {
  const { snapshot, view, forecast: { lanes, slots, expected } } = outlook
  const groups = jobGroups(outlook)
  const inSection = (section: JobGroup['section']) => sum(groups.filter(one => one.section === section), ({ jobs }) => jobs.length)
  const until = view.now + hours * HOUR_MS
  const ends = [
    ...[...expected.values()].map(({ last }) => last.endsAt),
    ...snapshot.runs.flatMap(({ serial }) => lanes.get(serial)?.running?.endsAt ?? [])
  ]
  return {
    is_paused: view.isPaused,
    paused_until: view.pausedUntil ?? null,
    summary: {
      printing: snapshot.runs.filter(({ state }) => state !== 'unknown').length,
      waiting: sum(snapshot.jobs.filter(({ held }) => !held), waitingOf),
      needs_person: inSection('needs_person'),
      held: inSection('held'),
      ends_at: ends.length > 0 ? Math.round(ends.reduce((a, b) => Math.max(a, b))) : null
    },
    groups: groups.slice(from, from + limit).map(group => viewOfGroup(group, outlook)),
    more: Math.max(0, groups.length - from - limit),
    lanes: hours === 0
      ? []
      : [...lanes.values()].map(lane => laneView(lane, slots.get(lane.printer) ?? [], until))
  }
}
