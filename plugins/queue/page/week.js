// The hours of a week, drawn: a row for each day, from midnight to midnight.

import { shell, t } from 'shell'
import { html } from './lib.js'

const DAYS = [1, 2, 3, 4, 5, 6, 7]
const DAY = 24 * 60
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const MARKS = [0, 6, 12, 18, 24]

/** @param {number} day 1 Monday to 7 Sunday @param {'short' | 'long'} weekday */
export const dayName = (day, weekday = 'short') =>
  new Date(MONDAY + (day - 1) * DAY * 60_000).toLocaleDateString(shell.language, { timeZone: 'UTC', weekday })

const minuteOf = text => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** The open minutes of each day; what begins in the evening ends on the next day. */
function spansOf ({ from, to, days = DAYS }) {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const spans = new Map(DAYS.map(day => [day, /** @type {[number, number][]} */ ([])]))
  for (const day of days) {
    const next = day === 7 ? 1 : day + 1
    spans.get(day)?.push([begin, begin < end ? end : DAY])
    if (begin >= end && end > 0) spans.get(next)?.push([0, end])
  }
  return spans
}

/** Day and minute now, by the clock of the machine. @param {string} zone */
function nowIn (zone) {
  const parts = Object.fromEntries(new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    .formatToParts(Date.now()).map(({ type, value }) => [type, value]))
  return { day: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday ?? '') + 1, minute: Number(parts.hour) * 60 + Number(parts.minute) }
}

/** Days as few words: "Mon–Fri", "Sat, Sun". */
function daysText (days) {
  const runs = /** @type {number[][]} */ ([])
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  return runs.map(run => run.length > 2 ? `${dayName(run[0])}–${dayName(run[run.length - 1])}` : run.map(day => dayName(day)).join(', ')).join(', ')
}

/** @param {any} hours */
export const hoursText = ({ from, to, days = DAYS }) => [
  days.length === 7 ? t('groups.days.all') : daysText(days), from === to ? t('groups.whole') : `${from}–${to}`
].join(' · ')

/** @param {{ hours: any, zone: string }} props */
export function Week ({ hours, zone }) {
  const spans = spansOf(hours)
  const now = nowIn(zone)
  return html`<figure class="week"><figcaption>${hoursText(hours)}</figcaption>
    <div class="days" aria-hidden="true">${DAYS.map(day => html`<div class=${`day${day === now.day ? ' today' : ''}`} key=${day}>
      <span>${dayName(day)}</span><svg viewBox=${`0 0 ${DAY} 10`} preserveAspectRatio="none">
        <rect class="closed" width=${DAY} height="10" />
        ${spans.get(day)?.map(([begin, end]) => html`<rect class="open" key=${begin} x=${begin} width=${end - begin} height="10" />`)}
        ${day === now.day && html`<rect class="now" x=${now.minute - 4} width="9" height="10" />`}</svg></div>`)}
      <div class="day marks"><span></span><div>${MARKS.map(hour => html`<small key=${hour}>${hour}</small>`)}</div></div></div>
  </figure>`
}
