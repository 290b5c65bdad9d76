// Changes of one job, of all jobs of a group, and of a selection.

import { call, forEach } from 'shell'

const AT_ONCE = 200

/** @param {string} id @param {Record<string, unknown>} changes */
export const update = (id, changes) => call('PATCH', `queue/jobs/${id}`, changes)

/** A part of the jobs of a group, in order. @returns {Promise<any[]>} */
export const jobsOf = async (key, from, limit = AT_ONCE) =>
  (await call('GET', 'queue', { group: key, from, limit, reasons: false })).jobs

/** Ids of all jobs of a group, in order. @param {{ key: string, first: string, jobs: number }} group */
export async function idsOf ({ key, first, jobs }) {
  if (jobs === 1) return [first]
  const ids = []
  for (let from = 0; from < jobs; from += AT_ONCE) ids.push(...(await jobsOf(key, from)).map(({ id }) => id))
  return ids
}

/** The row above or below, among those that jobs of this one may be moved over. */
export function neighbour (rows, at, step) {
  const other = rows[at + step]
  return other?.section === rows[at].section && other.priority === rows[at].priority ? other : undefined
}

/** Puts all jobs of a row before another job, in their order. @param {string} before id of a job, `first` or `last` */
export async function moveRow (row, before) {
  for (const id of await idsOf(row)) await update(id, { before })
}

/** Moves a row above or below its neighbour. */
export const moveBy = (rows, at, step) =>
  moveRow(rows[at], step < 0 ? rows[at - 1].first : neighbour(rows, at, 2)?.first ?? 'last')

/** Moves a row above or below another one. @param {string} key of what was dragged @param {string} target */
export async function moveTo (rows, key, target, isBelow) {
  const row = rows.find(one => one.key === key)
  const others = rows.filter(one => one.key !== key)
  const at = others.findIndex(one => one.key === target)
  if (!row || at < 0 || others[at].priority !== row.priority || others[at].section !== row.section) return
  await moveRow(row, isBelow ? neighbour(others, at, 1)?.first ?? 'last' : others[at].first)
}

/**
 * Changes many jobs, the last first when they are moved to the front.
 * @param {readonly string[]} ids @param {Record<string, unknown>} changes
 * @returns {Promise<string[]>} why some were refused
 */
export async function updateAll (ids, changes) {
  const problems = []
  const one = id => update(id, changes).catch(error => { problems.push(error.message) })
  if ('before' in changes) for (const id of ids.toReversed()) await one(id)
  else await forEach(ids, one)
  return problems
}
