import { createHash } from 'node:crypto'
import { inOrder, jobReason, plateIn, type Why, type WaitingJob } from '../decide/index.js'
import type { Expected, Outlook } from '../forecast/index.js'
import type { Job, PlateFacts, Run } from '../types.js'

/** Where a job stands on the board. */
export const SECTIONS = ['needs_person', 'printing', 'waiting', 'held'] as const
export type Section = (typeof SECTIONS)[number]

/** Open jobs for the same part that stand at the same place of the board. */
export interface JobGroup {
  readonly key: string
  readonly section: Section
  /** In the order of the queue. */
  readonly jobs: readonly Job[]
  readonly plate: PlateFacts | undefined
  readonly runs: readonly Run[]
  /** What keeps the first job waiting, besides printers that are busy. */
  readonly why: Why | undefined
  /** The next copy of all, and the one that ends last. */
  readonly expected: Expected | undefined
  /** Copies in the queue of which nothing is expected. */
  readonly hasUnexpected: boolean
}

const KEY_LENGTH = 16

const keyOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, KEY_LENGTH)

/** Reasons that a person at the printer can do something about come first. */
const HELPFUL = ['missing', 'missing_other', 'short', 'drying', 'failed_here', 'failed_here_by', 'other_nozzle']

/** The reason of most printers among those that are most helpful. */
function mainReason (reasons: readonly { readonly why: Why }[]): Why | undefined {
  const helpful = reasons.filter(({ why: { code } }) => HELPFUL.includes(code))
  const counts = new Map<string, { readonly why: Why, count: number }>()
  for (const { why } of helpful.length > 0 ? helpful : reasons) {
    const key = JSON.stringify(why)
    const known = counts.get(key) ?? { why, count: 0 }
    known.count++
    counts.set(key, known)
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.why
}

/** So many kinds of jobs that suit no printer are explained, printer by printer; others count as waiting. */
const MOST_EXPLAINED = 200

interface Standing { readonly isBlocked: boolean, readonly why: Why | undefined }

/** @returns what keeps a job waiting; jobs with equal requirements are judged once */
function createStandings ({ decision, view }: Outlook): (waiting: WaitingJob) => Standing {
  const known = new Map<string, Standing>()
  let explained = 0
  function judge (waiting: WaitingJob): Standing {
    const isSuitable = decision.suitable(waiting).length > 0
    if (isSuitable || explained++ >= MOST_EXPLAINED) return { isBlocked: false, why: undefined }
    const { isBlocked, printers } = decision.explain(waiting)
    return { isBlocked, why: mainReason(printers) }
  }
  return waiting => {
    const { job, attempts } = waiting
    if (job.taken >= job.copies) return { isBlocked: false, why: undefined }
    const own = jobReason(waiting, view)
    if (own && own.code !== 'queue_paused') return { isBlocked: own.code === 'file_gone', why: own }
    const key = `${decision.requirementsKey(job)} ${attempts.length > 0 ? job.id : ''}`
    const found = known.get(key) ?? judge(waiting)
    known.set(key, found)
    return found
  }
}

function sectionOf (job: Job, runs: readonly Run[], { isBlocked }: Standing): Section {
  if (runs.some(({ state }) => state === 'unknown')) return 'needs_person'
  if (runs.length > 0) return 'printing'
  return job.held ? 'held' : isBlocked ? 'needs_person' : 'waiting'
}

/** The first copy of several jobs, and their last one. */
function expectedOf (all: readonly (Expected | undefined)[]): Expected | undefined {
  let found: Expected | undefined
  for (const one of all) {
    if (!one) continue
    const next = found && found.next.startsAt <= one.next.startsAt ? found.next : one.next
    const last = found && found.last.endsAt >= one.last.endsAt ? found.last : one.last
    found = { next, last }
  }
  return found
}

interface Draft { readonly section: Section, readonly jobs: Job[], readonly runs: Run[], readonly why: Why | undefined }

/** All open jobs by section, priority, name, file and plate, in the order of the queue. */
export function jobGroups (outlook: Outlook): readonly JobGroup[] {
  const { snapshot, view, forecast: { expected } } = outlook
  const standingOf = createStandings(outlook)
  const runs = new Map<string, Run[]>()
  for (const run of snapshot.runs) runs.set(run.job, [...runs.get(run.job) ?? [], run])
  const drafts = new Map<string, Draft>()
  for (const waiting of inOrder(view)) {
    const { job } = waiting
    const own = runs.get(job.id) ?? []
    const standing = standingOf(waiting)
    const section = sectionOf(job, own, standing)
    const [first] = job.alternatives
    const id = JSON.stringify([section, job.priority, job.name, first?.file, first?.plate])
    const draft = drafts.get(id) ?? { section, jobs: [], runs: [], why: standing.why }
    drafts.set(id, draft)
    draft.jobs.push(job)
    draft.runs.push(...own)
  }
  return [...drafts].map(([id, { jobs, ...draft }]) => {
    const [first] = jobs[0]?.alternatives ?? []
    const all = jobs.map(({ id }) => expected.get(id))
    return {
      ...draft,
      key: keyOf(id),
      jobs,
      plate: first && plateIn(snapshot.files.get(first.file), first),
      expected: expectedOf(all),
      hasUnexpected: jobs.some((job, at) => job.taken < job.copies && all[at] === undefined)
    }
  }).sort((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section))
}
