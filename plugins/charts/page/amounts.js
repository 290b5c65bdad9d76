// How much was printed and what it cost, by day, week or month.

import { call, number, shell, t } from 'shell'
import { Choice, counted, grams, hours, html, Legend, Question, useAnswer, useState, WAITING } from './lib.js'
import { nameOf } from './names.js'
import { firstDayOf, periodsOf, unitOf } from './spans.js'
import { Stack } from './stack.js'
import { partsOf, seriesOf } from './stack-model.js'

const MEASURES = ['time', 'filament']
const BY = ['printer', 'material']
const SECONDS = 3600

/** The member that is drawn, in the unit of its axis, and how it is written. */
const DRAWN = {
  time: { member: 'hours', textOf: value => hours(value * SECONDS), axis: 'charts.axis.hours' },
  filament: { member: 'grams', textOf: grams, axis: '' },
  cost: { member: 'cost', textOf: value => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }), axis: '' }
}

const withHours = group => ({ ...group, hours: group.printing_s / SECONDS })

const LONG = {
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  week: { day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' }
}
const SHORT = {
  day: { weekday: 'short', day: 'numeric' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' }
}
const dateText = (at, options) => new Date(at).toLocaleDateString(shell.language, options)

/** A period by the day that it begins with, on the axis. */
const shortText = (unit, at) => dateText(at, SHORT[unit])
const periodText = (unit, at) =>
  unit === 'week' ? t('charts.week', { day: dateText(at, LONG.week) }) : dateText(at, LONG[unit])

/** The first print of all, from which on there are periods. */
async function load ({ by, since, span }) {
  const now = Date.now()
  const from = since ?? (await call('GET', 'history/time')).printers.reduce((first, one) => Math.min(first, one.since), now)
  const unit = unitOf(span, from, now)
  const starts = periodsOf({ unit, from, now, firstDay: firstDayOf(shell.language) })
  const { total, groups, periods } = await call('GET', 'history/summary',
    { by, since, boundaries: starts.slice(1).join(',') || undefined })
  return {
    by,
    unit,
    starts,
    total: withHours(total),
    groups: groups.map(withHours),
    periods: periods.map(own => own.map(withHours))
  }
}

/** The period with most, if there are several. */
function most (columns) {
  const filled = columns.filter(({ value }) => value > 0)
  return filled.length < 2 ? undefined : filled.reduce((best, one) => one.value > best.value ? one : best)
}

function Drawing ({ body, measure }) {
  const [chosen, setChosen] = useState(-1)
  const { member, textOf, axis } = DRAWN[measure]
  const series = seriesOf(body.groups, member, 'hours')
  const named = series.map(one => ({
    ...one, text: one.color === 'rest' ? t('charts.others', { count: one.count }) : nameOf(body.by, one.name)
  }))
  const columns = body.starts.map((at, number) => {
    const parts = partsOf(body.periods[number] ?? [], named, member)
    const value = parts.reduce((sum, part) => sum + part.value, 0)
    return { at, label: periodText(body.unit, at), short: shortText(body.unit, at), parts, value }
  })
  const shown = columns[chosen] ?? { label: t('charts.total'), parts: named, value: body.total[member] }
  return html`<${Stack} columns=${columns} textOf=${textOf} unit=${axis && t(axis)} label=${t(`charts.amounts.${measure}`)}
      chosen=${chosen} onChoose=${setChosen} />
    <div class="readout"><b>${shown.label}: ${textOf(shown.value)}</b>
      <${Legend} parts=${shown.parts.map(({ color, text, value }) => ({ name: color, text: `${text} ${textOf(value)}` }))} /></div>`
}

function answerOf (body, measure) {
  const { member, textOf } = DRAWN[measure]
  if (body.total.prints === 0) return t('charts.amounts.none')
  const best = most(body.periods.map((groups, at) =>
    ({ at: body.starts[at], value: groups.reduce((sum, group) => sum + group[member], 0) })))
  return [
    t('charts.amounts.answer', {
      ...counted(body.total.prints), hours: hours(body.total.printing_s), grams: grams(body.total.grams)
    }),
    best && t(`charts.amounts.most.${body.unit}`, { period: periodText(body.unit, best.at), amount: textOf(best.value) })
  ].filter(Boolean).join(' ')
}

export function Amounts ({ span, since, turn }) {
  const [by, setBy] = useState('printer')
  const [measure, setMeasure] = useState('time')
  const { body, problem } = useAnswer(() => load({ by, since, span }), `${by} ${span} ${turn}`)
  return html`<${Question} id="amounts" title=${t('charts.amounts')} answer=${problem ?? (body ? answerOf(body, measure) : WAITING)}
    actions=${html`<span class="buttons"><${Choice} label=${t('charts.measure')} values=${MEASURES} value=${measure}
        textOf=${one => t(`charts.measure.${one}`)} onChange=${setMeasure} />
      <${Choice} label=${t('charts.by')} values=${BY} value=${by} textOf=${one => t(`charts.by.${one}`)} onChange=${setBy} /></span>`}>
    ${body?.total.prints > 0 && html`<${Drawing} body=${body} measure=${measure} />`}
  <//>
  ${body?.total.grams > 0 && html`<${Cost} body=${body} />`}`
}

function Cost ({ body }) {
  const { total } = body
  const open = total.grams - total.priced_grams
  const isKnown = total.priced_grams > 0
  const answer = isKnown
    ? [t('charts.cost.answer', { cost: DRAWN.cost.textOf(total.cost), grams: grams(total.priced_grams) }),
        open >= 1 && t('charts.cost.open', { grams: grams(open) })].filter(Boolean).join(' ')
    : t('charts.cost.none')
  return html`<${Question} id="cost" title=${t('charts.cost')} answer=${answer}>
    ${isKnown ? html`<${Drawing} body=${body} measure="cost" />` : html`<p class="faint">${t('charts.cost.how')}</p>`}
  <//>`
}
