// The prints of all printers by the hour. Only the visible lanes exist.

import { number, shell, t, timeText } from 'shell'
import { html, Icon, useMemo, useRef } from './lib.js'
import { HOURS } from './use-board.js'
import { useVisibleRows } from '../../shell/page/use-visible-rows.js'
import { durationText } from './words.js'

const HOUR_MS = 3_600_000
const HOUR_REM = 5
const LANE_REM = 3.4
/** What has happened before now. */
const PAST_MS = HOUR_MS

const rem = value => `${value}rem`
const compare = new Intl.Collator(shell.language, { numeric: true }).compare

/**
 * The full hour that the timeline begins with, by the clock here: some are half an hour off.
 * @param {number} now
 */
export const beginOf = now => new Date(now - PAST_MS).setMinutes(0, 0, 0)

/** Where a bar is, in hours from the beginning; undefined outside. @param {any} bar @param {number} begin */
export function spanOf ({ starts_at: starts, ends_at: ends }, begin, hours = HOURS) {
  const from = Math.max(0, (starts - begin) / HOUR_MS)
  const to = Math.min(hours + 1, (ends - begin) / HOUR_MS)
  return to > from ? { from, length: to - from } : undefined
}

function sentenceOf ({ name, is_running: isRunning, percent, starts_at: starts, ends_at: ends }, lane) {
  const times = { from: timeText(starts), at: timeText(ends) }
  const values = { job: name, printer: lane.printer, percent: number(Math.round(percent)), ...times }
  if (isRunning) return t('queue.bar.running', values)
  if (lane.waits_for) return t(`queue.bar.${lane.waits_for}`, { ...values, time: durationText(ends - starts) })
  return t('queue.bar.expected', values)
}

function Bar ({ bar, lane, begin, show }) {
  const span = spanOf(bar, begin)
  if (!span) return null
  const waits = !bar.is_running && lane.waits_for
  return html`<button type="button" class=${`bar ${bar.is_running ? 'running' : waits ? 'waits' : 'expected'}`}
    style=${{ left: rem(span.from * HOUR_REM), width: rem(span.length * HOUR_REM) }} title=${sentenceOf(bar, lane)}
    aria-label=${sentenceOf(bar, lane)} onClick=${() => { if (bar.job !== '') show(bar.job) }}>
    ${bar.is_running && html`<i style=${{ width: `${bar.percent}%` }} />`}<span>${bar.name}</span></button>`
}

/** Arrows move between the bars of a lane. */
function onKey (event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const bars = [...event.currentTarget.querySelectorAll('.bar')]
  const next = bars[bars.indexOf(document.activeElement) + step]
  if (next) { event.preventDefault(); next.focus() }
}

/** What a printer waits for, as the button that helps. */
function LaneState ({ lane, onWaiting }) {
  const { printer, waits_for: waitsFor, is_absent: isAbsent, bars } = lane
  if (isAbsent) return html`<small class="faint">${t('queue.lane.absent')}</small>`
  if (!waitsFor) return bars.length === 0 && html`<small class="faint">${t('queue.lane.free')}</small>`
  const words = t(`queue.lane.${waitsFor}`)
  return html`<button type="button" class="badge warn" aria-label=${`${words}: ${printer}`} onClick=${() => onWaiting(lane)}>
    <${Icon} name="alert" />${words}</button>`
}

const Lane = ({ lane, place, begin, show, onWaiting }) => html`<li class="lane" ...${place} onKeyDown=${onKey}>
  <div class="who"><b>${lane.printer}</b><${LaneState} lane=${lane} onWaiting=${onWaiting} /></div>
  <div class="track">${lane.bars.map((bar, at) =>
    html`<${Bar} key=${at} bar=${bar} lane=${lane} begin=${begin} show=${show} />`)}</div>
</li>`

/** Hours, with the day where it begins. */
const hourText = ms => new Date(ms).getHours() === 0
  ? new Date(ms).toLocaleDateString(shell.language, { weekday: 'short', day: 'numeric' })
  : new Date(ms).toLocaleTimeString(shell.language, { hour: 'numeric' })

/** @param {{ lanes: any[], show: (job: string) => void, onWaiting: (lane: any) => void }} props */
export function Timeline ({ lanes, show, onWaiting }) {
  const scroller = useRef(/** @type {any} */ (null))
  const list = useRef(/** @type {any} */ (null))
  const now = Date.now()
  const begin = beginOf(now)
  const sorted = useMemo(() => [...lanes].sort((a, b) => compare(a.printer, b.printer)), [lanes])
  const root = useMemo(() => Number.parseFloat(globalThis.getComputedStyle(document.documentElement).fontSize), [])
  const height = Math.round(LANE_REM * root)
  const heights = useMemo(() => sorted.map(() => height), [sorted.length, height])
  const { from, to, before, after } = useVisibleRows(list, heights, scroller)
  const width = rem((HOURS + 1) * HOUR_REM)
  return html`<section class="card timeline" aria-labelledby="timeline-title">
    <header><h2 id="timeline-title">${t('queue.timeline.title')}</h2><small class="faint">${t('queue.timeline.hint')}</small></header>
    <div class="scroll" ref=${scroller} tabindex="0" role="region" aria-labelledby="timeline-title">
      <div class="hours" aria-hidden="true" style=${{ width }}>${Array.from({ length: HOURS + 1 }, (_, n) =>
        html`<span key=${n} style=${{ left: rem(n * HOUR_REM) }}>${hourText(begin + n * HOUR_MS)}</span>`)}</div>
      <ol class="lanes" ref=${list} style=${{ paddingTop: `${before}px`, paddingBottom: `${after}px`, width }}>
        ${sorted.slice(from, to).map((lane, at) => html`<${Lane} key=${lane.printer} lane=${lane} begin=${begin} show=${show}
          onWaiting=${onWaiting} place=${{ style: { height: `${height}px` }, 'aria-setsize': sorted.length, 'aria-posinset': from + at + 1 }} />`)}
        <li class="now" aria-hidden="true" style=${{ left: rem((now - begin) / HOUR_MS * HOUR_REM) }}></li>
      </ol>
    </div>
  </section>`
}
