// When something is expected, in words.

import { number, t, timeText } from 'shell'
import { wordsOf } from './lib.js'

/** Printers that a line names. */
const FEW = 3

/** @param {number} ms */
export function durationText (ms) {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return t('queue.minutes', { minutes: number(rest) })
  return rest === 0 ? t('queue.hours', { hours: number(hours) }) : `${t('queue.hours', { hours: number(hours) })} ${t('queue.minutes', { minutes: number(rest) })}`
}

/** When the next copy starts and ends, and where. @param {any} expected @param {number} copies that wait */
export function expectedText (expected, copies) {
  if (!expected) return ''
  const { printer, starts_at: starts, ends_at: ends, all_end_at: all, waits_for: waitsFor } = expected
  if (waitsFor) return t(`queue.expected.${waitsFor}`, { printer, time: durationText(ends - starts) })
  const from = starts - Date.now() < 60_000 ? t('queue.expected.now', { printer }) : t('queue.expected.at', { printer, from: timeText(starts) })
  return `${from}, ${copies > 1 ? t('queue.expected.all', { at: timeText(all) }) : t('queue.expected.until', { at: timeText(ends) })}`
}

function runText ({ printer, state, percent, ends_at: ends, reason, why }) {
  if (why) return `${printer}: ${wordsOf({ reason, why })}`
  return state === 'printing' && ends
    ? t('queue.run.until', { printer, percent: number(Math.round(percent)), at: timeText(ends) })
    : `${printer}: ${t(`queue.run.${state}`)}`
}

/** Counting in parts says more than in copies. @param {any} parts */
export const hasParts = parts => Boolean(parts) && (parts.per_copy > 1 || parts.wanted % parts.per_copy > 0)

/** How far a job is, in parts where a copy gives several. @param {any} of a job or a group */
export const doneText = ({ parts, finished, copies }) => hasParts(parts)
  ? t('queue.parts.done', { done: number(Math.min(parts.finished, parts.wanted)), parts: number(parts.wanted) })
  : t('queue.copies.done', { done: number(finished), copies: number(copies) })

/** What happens with the jobs of a group, as one line. @param {any} group */
export function storyOf ({ runs, waiting, expected, reason, why, section }) {
  const more = runs.length - FEW
  return [
    ...runs.slice(0, FEW).map(runText),
    more > 0 && t('queue.runs.more', { count: more }),
    waiting > 0 && section !== 'held' && (expectedText(expected, waiting) || (reason !== '' && wordsOf({ reason, why })))
  ].filter(Boolean).join(' · ')
}

/** The whole queue as one sentence. @param {any} board @param {number} plates to clear */
export function summaryText ({ summary }, plates) {
  const { printing, waiting, needs_person: needs, held, ends_at: ends } = summary
  const parts = [['printing', printing], ['waiting', waiting], ['needs', needs], ['held', held], ['plates', plates]]
    .filter(([, count]) => count > 0).map(([name, count]) => t(`queue.sum.${name}`, { count: Number(count), number: number(count) }))
  if (printing + waiting + needs + held === 0) return t('queue.sum.none')
  const done = ends === null ? '' : t(waiting > 0 ? 'queue.sum.done.if' : 'queue.sum.done', { at: timeText(ends) })
  return `${parts.join(', ')}${done === '' ? '' : `; ${done}`}`
}
