// How many prints were good, by printer, material and model.

import { call, hasPage, linkTo, number, t } from 'shell'
import { Bar, Choice, counted, html, Legend, percent, Question, useAnswer, useState, WAITING } from './lib.js'
import { GROUPS, nameOf } from './names.js'
import { byFailures, failedShare, judgedOf, worstOf } from './reliability-model.js'

/** Rows before all of them are asked for. */
const FEW = 8

/** The sentence that answers the question. */
function answerOf (total, groups, by) {
  const judged = judgedOf(total)
  if (judged === 0) return t('charts.reliable.none')
  const worst = worstOf(groups)
  return [
    total.failed === 0
      ? t('charts.reliable.all', counted(judged))
      : t('charts.reliable.good', { good: number(total.finished), ...counted(judged) }),
    worst && t('charts.reliable.worst', {
      name: nameOf(by, worst.name), failed: number(worst.failed), of: number(judgedOf(worst))
    }),
    total.cancelled > 0 && t('charts.reliable.cancelled', counted(total.cancelled))
  ].filter(Boolean).join(' ')
}

/** History's list of such prints; it cannot be filtered by model. */
const filtersOf = (by, name) => by === 'model' || name === ''
  ? undefined
  : { printer: '', [by === 'printer' ? 'printer_name' : by]: name }

function Counts ({ group, by, since }) {
  const filter = filtersOf(by, group.name)
  const link = result => filter && hasPage('history') ? linkTo('history', { ...filter, ...since, result }) : undefined
  const counts = ['failed', 'cancelled'].filter(result => group[result] > 0)
  return html`${counts.map((result, at) => {
    const text = t(`charts.reliable.of.${result}`, counted(group[result]))
    return html`${at > 0 && ' · '}${link(result) ? html`<a href=${link(result)}>${text}</a>` : text}`
  })}`
}

const Row = ({ group, by, since }) => html`<li class="row share-row">
  <span class="row-main"><b>${nameOf(by, group.name)}</b>
    <small>${t('charts.reliable.row', { good: number(group.finished), ...counted(judgedOf(group)) })}
      ${(group.failed > 0 || group.cancelled > 0) && ' · '}<${Counts} ...${{ group, by, since }} /></small></span>
  <span class="row-bar"><${Bar} whole=${group.finished + group.failed + group.cancelled}
    parts=${['finished', 'failed', 'cancelled'].map(name => ({ name, value: group[name] }))} /></span>
  <b class="figure">${judgedOf(group) > 0 ? percent(1 - failedShare(group)) : '–'}</b>
</li>`

export function Reliability ({ span, since, day, turn }) {
  const [by, setBy] = useState('printer')
  const [isLong, setIsLong] = useState(false)
  const { body, problem } = useAnswer(async () => ({ by, ...await call('GET', 'history/summary', { by, since }) }),
    `${by} ${span} ${turn}`)
  const groups = byFailures((body?.groups ?? []).filter(group => group.finished + group.failed + group.cancelled > 0))
  const shown = isLong ? groups : groups.slice(0, FEW)
  return html`<${Question} id="reliable" title=${t('charts.reliable')} answer=${problem ?? (body ? answerOf(body.total, groups, body.by) : WAITING)}
    actions=${html`<${Choice} label=${t('charts.by')} values=${GROUPS} value=${by} textOf=${one => t(`charts.by.${one}`)} onChange=${setBy} />`}>
    ${shown.length > 0 && html`<ul class="rows">${shown.map(group => html`<${Row} key=${group.name} group=${group} by=${body.by} since=${day} />`)}</ul>
      <${Legend} parts=${['finished', 'failed', 'cancelled'].map(name => ({ name, text: t(`charts.result.${name}`) }))} />`}
    ${groups.length > FEW && html`<div><button type="button" class="quiet small" aria-expanded=${isLong ? 'true' : 'false'}
      onClick=${() => setIsLong(!isLong)}>${isLong ? t('charts.less') : t('charts.more', { count: groups.length })}</button></div>`}
  <//>`
}
