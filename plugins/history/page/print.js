// One print: its course, its pictures and recordings, and the user's notes.

import { call, callerName, dateTime, element, exactColor, filamentName, follow, hasPage, hasText, linkTo, number, placeName, t, timeText } from 'shell'
import { Charts, Shares } from './charts.js'
import { Ask, Badge, dayTime, duration, energyText, html, RESULTS, useAnswer, useEffect, useRef, useState } from './lib.js'
import { Swatch } from './list.js'
import { Reprint } from './reprint.js'

const STATES = ['prepare', 'printing', 'paused', 'unseen']

const byWhom = (key, who) => who === ''
  ? null
  : html`<div><dt>${t(key)}</dt>
  <dd>${callerName(who)}</dd></div>`

/** How far a print got that did not finish: by the layers of its plate if they are known, else by time. */
const reached = print => print.layers_percent === null
  ? t('history.by_time', { percent: print.percent })
  : t('history.by_layers', { percent: Math.round(print.layers_percent) })

const Facts = ({ print }) => html`<dl class="facts">
  <div><dt>${t('history.start')}</dt><dd>${dayTime(print.started_at)}</dd></div>
  ${print.ended_at !== null && html`<div><dt>${t('history.end')}</dt><dd>${dayTime(print.ended_at)}</dd></div>`}
  ${byWhom('history.started_by', print.started_by)}
  ${byWhom('history.ended_by', print.ended_by)}
  <div><dt>${t('history.printer')}</dt><dd>${print.printer} (${print.model})</dd></div>
  ${print.plate > 0 && html`<div><dt>${t('history.plate')}</dt><dd>${print.plate}</dd></div>`}
  ${print.parts !== null && html`<div><dt>${t('history.parts')}</dt><dd>${number(print.parts)}</dd></div>`}
  <div><dt>${t('history.layers')}</dt><dd>${print.layer} / ${print.total_layers}</dd></div>
  ${print.result !== 'finished' && html`<div><dt>${t('history.reached')}</dt><dd>${reached(print)}</dd></div>`}
  ${print.planned_s > 0 && html`<div><dt>${t('history.planned')}</dt><dd>${duration(print.planned_s)}</dd></div>`}
  ${print.interruptions > 0 && html`<div><dt>${t('history.interruptions')}</dt><dd>${print.interruptions}</dd></div>`}
  ${print.cost !== null && html`<div><dt>${t('history.cost')}</dt><dd>${number(print.cost)}</dd></div>`}
  ${print.energy && html`<${Energy} energy=${print.energy} />`}
  ${print.job !== '' && hasPage('queue') && html`<div><dt>${t('history.job')}</dt>
    <dd><a href=${linkTo('queue')}>${print.job.slice(0, 8)}</a></dd></div>`}
</dl>`

/** Measured at the plug of the printer. */
const Energy = ({ energy: { wh, cost, currency, is_estimated: isEstimated, is_partial: isPartial } }) => html`<div><dt>${t('history.energy')}</dt>
  <dd>${energyText(wh)}${cost !== null && ` · ${number(cost, { maximumFractionDigits: 2 })} ${currency}`}${(isEstimated || isPartial) && html`<br />
    <small class="faint">${t(isPartial ? 'history.energy.partial' : 'history.energy.estimated')}</small>`}</dd></div>`

const Grams = ({ grams, basis }) => html`<td>${grams === null ? '–' : number(grams)}${basis !== null && html`<br />
  <small class="faint">${t(`history.basis.${basis}`)}</small>`}</td>`

const Filaments = ({ filaments }) => html`<div class="scroll" tabindex="0" role="region" aria-label=${t('history.filament')}><table>
  <thead><tr>${['material', 'place', 'grams', 'metres', 'cost'].map(name => html`<th scope="col">${t(`history.${name}`)}</th>`)}</tr></thead>
  <tbody>${filaments.map(one => html`<tr><th scope="row" title=${exactColor(one.color)}><${Swatch} color=${one.color} /> ${filamentName(one.material, [one.color]) || '–'}</th>
    <td>${one.place ? placeName(one.place) : '–'}${one.tag && html`<br /><small class="faint">${one.tag.slice(0, 8)}</small>`}</td>
    <${Grams} grams=${one.grams} basis=${one.grams_basis} />
    ${[one.metres, one.cost].map(value => html`<td>${value === null ? '–' : number(value)}</td>`)}</tr>`)}</tbody>
</table></div>`

const wordOf = ({ kind, name }) => hasText(`history.event.${name}`) ? t(`history.event.${name}`) : `${kind === 'state' ? name : name.replaceAll('_', ' ')}`

const Events = ({ events }) => html`<ol class="events">${events.map(event => html`<li class=${event.severity}>
  <time datetime=${new Date(event.at).toISOString()}>${timeText(event.at)}</time>
  <span>${t(`history.kind.${event.kind}`)}: <strong>${wordOf(event)}</strong> ${event.text}</span></li>`)}</ol>`

/** A recording that plays in place; the player is created on request. */
function Recording ({ recording }) {
  const place = useRef(/** @type {any} */ (null))
  const play = () => {
    if (place.current.firstChild) return place.current.replaceChildren()
    const video = /** @type {HTMLVideoElement} */ (element('video'))
    video.controls = video.autoplay = video.muted = video.playsInline = true
    video.src = `api/recordings/${recording.id}/file`
    place.current.append(video)
  }
  return html`<li><button type="button" onClick=${play}>${t(`history.recording.${recording.kind}`)}</button>
    <span class="faint">${dateTime(recording.started_at)} · ${number(Math.round(recording.duration_s))} s</span>
    <div ref=${place}></div></li>`
}

function Notes ({ print, onChanged }) {
  const [problem, setProblem] = useState('')
  const [said, setSaid] = useState('')
  const save = async event => {
    event.preventDefault()
    const form = new FormData(event.target)
    const tags = String(form.get('tags')).split(',').map(tag => tag.trim()).filter(tag => tag !== '')
    const result = String(form.get('result'))
    setProblem('')
    setSaid('')
    try {
      // Only what was changed here: another person may have changed the rest meanwhile.
      const given = { note: String(form.get('note')), rating: Number(form.get('rating')), tags }
      const known = { note: print.note ?? '', rating: print.rating ?? 0, tags: print.tags }
      const isChanged = ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name])
      const changes = Object.fromEntries(Object.entries({ ...given, ...result && { result } }).filter(isChanged))
      if (Object.keys(changes).length > 0) await call('PATCH', `history/${print.id}`, changes)
      setSaid(t('history.saved'))
      onChanged()
    } catch (error) {
      setProblem(t('history.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  return html`<form class="card notes" onSubmit=${save}><h2>${t('history.notes')}</h2>
    <label>${t('history.note')} <textarea name="note" rows="3" maxlength="4000">${print.note ?? ''}</textarea></label>
    <label>${t('history.rating')} <select name="rating">${[0, 1, 2, 3, 4, 5].map(value => html`<option value=${value}
      selected=${value === (print.rating ?? 0)}>${value === 0 ? '–' : '★'.repeat(value)}</option>`)}</select></label>
    <label>${t('history.tags')} <input name="tags" defaultValue=${print.tags.join(', ')} /></label>
    <label>${t('history.corrected')} <select name="result"><option value="">${t('history.unchanged')}</option>
      ${[...RESULTS.slice(1), 'reported'].map(result => html`<option value=${result}>${t(`history.result.${result}`)}</option>`)}</select></label>
    <p class="faint">${t('history.save.sure')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons"><button class="primary">${t('history.save')}</button><span role="status">${said}</span></div>
  </form>`
}

const Part = ({ title, children }) => html`<section class="card"><h2>${title}</h2>${children}</section>`

/** The existing pictures of the print. */
const Pictures = ({ id }) => html`<div class="pictures">${['thumbnail', 'picture'].map(which => html`<img
  src=${`api/history/${id}/${which}`} alt=${t(`history.${which}`)} onError=${({ target }) => { target.hidden = true }} />`)}</div>`

export function PrintPage ({ id, onClose, onGone }) {
  const [turn, setTurn] = useState(0)
  const [asks, setAsks] = useState(false)
  const [reprints, setReprints] = useState(false)
  const last = useRef(/** @type {any} */ (null))
  const heading = useRef(/** @type {any} */ (null))
  const { body, problem } = useAnswer(() => call('GET', `history/${encodeURIComponent(id)}`), `${id} ${turn}`)
  const { body: telemetry } = useAnswer(() => call('GET', `history/${encodeURIComponent(id)}/telemetry`), id)
  useEffect(() => {
    const renew = () => setTurn(before => before + 1)
    return follow({ topics: ['history'], onMessage: ({ topic, data }) => { if (topic === 'history' && data.id === id) renew() }, onMissed: renew })
  }, [id])
  if (body) last.current = body
  const print = last.current
  useEffect(() => { if (print) heading.current?.focus() }, [print !== null])
  const back = html`<a class="button" href="#" onClick=${onClose}>${t('history.back')}</a>`
  if (!print) return html`<header class="page-head">${back}</header><p class="boot" role="status">${problem ?? '…'}</p>`
  const seconds = STATES.map(name => ({ name, value: print[`${name}_s`] })).filter(({ value }) => value > 0)
  return html`<header class="page-head">${back}
      <h1 tabindex="-1" ref=${heading}>${print.name || print.file || t('history.unnamed')}</h1> <${Badge} result=${print.result} />
      <span class="space" />
      ${print.result !== 'running' && html`<button type="button" onClick=${() => setReprints(true)}>${t('history.reprint')}</button>`}
      ${print.result !== 'running' && html`<button type="button" class="danger" onClick=${() => setAsks(true)}>${t('history.delete')}</button>`}</header>
    <div class="columns">
      <div>
        <section class="card"><${Pictures} id=${print.id} /><${Facts} print=${print} /></section>
        ${print.faults.length > 0 && html`<${Part} title=${t('history.faults')}><ul>${print.faults.map(({ code, text }) =>
          html`<li class="bad"><code>${code}</code> ${text}</li>`)}</ul><//>`}
        ${seconds.length > 0 && html`<${Part} title=${t('history.times')}><${Shares} label=${t('history.times')}
          parts=${seconds.map(({ name, value }) => ({ name, value, text: `${t(`history.time.${name}`)} ${duration(value)}` }))} /><//>`}
        ${print.filaments.length > 0 && html`<${Part} title=${t('history.filament')}><${Filaments} filaments=${print.filaments} />
          ${print.grams_open_until > Date.now() && html`<p class="faint">${t('history.grams.open')}</p>`}<//>`}
        <${Notes} key=${print.id} print=${print} onChanged=${() => setTurn(before => before + 1)} />
      </div>
      <div>
        ${print.recordings.length > 0 && html`<${Part} title=${t('history.recordings')}><ul class="recordings">
          ${print.recordings.map(recording => html`<${Recording} key=${recording.id} recording=${recording} />`)}</ul><//>`}
        <${Part} title=${t('history.charts')}>${telemetry?.series.length > 0
          ? html`<${Charts} series=${telemetry.series} startedAt=${print.started_at} />
            ${hasPage('charts') && html`<a href=${linkTo('charts', { print: id })}>${t('history.warm')}</a>`}`
          : html`<p class="faint">${t('history.charts.none')}</p>`}<//>
        ${print.events.length > 0 && html`<${Part} title=${t('history.events')}><${Events} events=${print.events} /><//>`}
      </div>
    </div>
    ${reprints && html`<${Reprint} print=${print} onClose=${() => setReprints(false)} />`}
    ${asks && html`<${Ask} title=${t('history.delete.title', { name: print.name })} text=${t('history.delete.sure')}
      yes=${t('history.delete')} danger onClose=${() => setAsks(false)}
      run=${async () => { await call('DELETE', `history/${print.id}`); onGone() }} />`}`
}
